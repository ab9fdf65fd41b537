import re

from teacher.sheets import made


def test_a_booklet_has_a_cover_and_contents_that_lead_to_every_station():
    sheet, _, html = made(stationen="4a,4b,8,S")
    for name in ("arbeitsblatt", "loesung"):
        contents = re.search(r'(?s)<ul class="contents">.*?</ul>', html[name]).group()
        ids = re.findall(r'href="#(station-[^"]+)"', contents)
        assert ids == [f"station-{station.id}" for station in sheet.stations]
        assert all(html[name].count(f'id="{each}"') == 1 for each in ids)
        assert "Formelsammlung" in contents


def test_one_or_two_stations_go_without():
    for stations in ("4b", "4b,8"):
        assert 'class="cover"' not in made(stationen=stations)[2]["arbeitsblatt"]


def test_the_picture_can_be_left_out():
    assert "Schwarzen Brett" in made(stationen="4b")[2]["arbeitsblatt"]
    assert 'class="board"' not in made(stationen="4b", bild=False)[2]["arbeitsblatt"]


def test_stations_fold_in_the_key_on_the_screen_only():
    _, _, html = made(stationen="4a,4b,8,S")
    assert html["loesung"].count("<details") == 4
    assert "<details" not in html["arbeitsblatt"]
