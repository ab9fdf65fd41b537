"""Lists of pupils as schools have them: what is understood, and what is said of it."""

import codecs

import pytest

from generator.basics.errors import UserError
from generator.production.pupil_list import names_in, read_names

MIA, JOERG = "Mia Müller", "Jörg Groß"
BOTH = (MIA, JOERG)

LISTS = {
    "one a line": ("Mia Müller\nJörg Groß\n", BOTH, ""),
    "Excel, semicolon, with a mark": (
        "\ufeffNachname;Vorname\r\nMüller;Mia\r\nGroß;Jörg\r\n",
        BOTH,
        "Zeile 1",
    ),
    "Excel, Windows-1252": ("Nr;Name\r\n1;Mia Müller\r\n2;Jörg Groß\r\n".encode("cp1252"), BOTH, "„Name“"),
    "Excel, Unicode text": (
        codecs.BOM_UTF16_LE + "Name\tVorname\r\nMüller\tMia\r\nGroß\tJörg\r\n".encode("utf-16-le"),
        BOTH,
        "",
    ),
    "UTF-16 without a mark": ("Vorname;Name\r\nMia;Müller\r\nJörg;Groß\r\n".encode("utf-16-le"), BOTH, ""),
    "Excel with its own first line": ("sep=,\nVorname,Nachname\nMia,Müller\nJörg,Groß\n", BOTH, "Zeile 2"),
    "school program": ("Schülerin/Schüler;Nr.\nMia Müller;1\nJörg Groß;2\n", BOTH, "„Schülerin/Schüler“"),
    "title lines": (
        "Klassenliste 10a;;\nStand: 01.09.2026;;\nNr.;Nachname;Vorname\n1;Müller;Mia\n2;Groß;Jörg\n",
        BOTH,
        "Weggelassen: Zeile 1 („Klassenliste 10a“), Zeile 2",
    ),
    "a title without a heading": ("Klassenliste 10a\nMia Müller\nJörg Groß\n", BOTH, "Zeile 1"),
    "a title that only its number tells": ("10a\nMia Müller\nJörg Groß\n", BOTH, "Zeile 1"),
    "learning platform": (
        "Teilnehmer/in;Anmeldename;E-Mail-Adresse\nMia Müller;mm;m@schule.de\nJörg Groß;jg;j@schule.de\n",
        BOTH,
        "„Teilnehmer/in“",
    ),
    "learning platform in English": (
        "First name,Surname,Email address\nMia,Müller,m@schule.de\nJörg,Groß,j@schule.de\n",
        BOTH,
        "„First name“ und „Surname“",
    ),
    "French": ("Nom;Prénom\nMüller;Mia\nGroß;Jörg\n", BOTH, ""),
    "empty lines of a table": ("Vorname,Nachname,Note\nMia,Müller,\n,,\nJörg,Groß,\n,,\n", BOTH, ""),
    "last name first": ("Müller, Mia\nGroß, Jörg\n", BOTH, "Vorname;Nachname"),
    "the same in a column": ('"Müller, Mia";10b\n"Groß, Jörg";10b\n', BOTH, "wird „Mia Müller“"),
    "a line between the columns": ("Nachname|Vorname|Klasse\nMüller|Mia|10a\nGroß|Jörg|10a\n", BOTH, ""),
    "timetable program": (
        "Langname\tVorname\tGeschlecht\tKlasse.Name\nMüller\tMia\tW\t10a\nGroß\tJörg\tM\t10a\n",
        BOTH,
        "„Langname“",
    ),
    "timetable program with short names": (
        "Name;Langname;Vorname;Klasse\nMuelMi;Müller;Mia;10a\nGroJo;Groß;Jörg;10a\n",
        BOTH,
        "gelesen: „Langname“, „Vorname“ und „Klasse“",
    ),
    "grades of a learning platform": (
        'Vorname,Nachname,"Aufgabe: Blatt (Punkte)","Zuletzt geladen"\nMia,Müller,-,17\nJörg,Groß,-,17\n',
        BOTH,
        "Zeile 1",
    ),
    "learning platform, last name first": (
        'Student,ID,SIS User ID,Section\n"Müller, Mia",12,mm,10a\n"Groß, Jörg",13,jg,10a\n',
        BOTH,
        "„Student“",
    ),
    "who was there": ("Name;Mo;Di;Mi;Do\nMia Müller;x;;x;\nJörg Groß;x;x;;\n", BOTH, "„Name“"),
    "brackets": ("Name (Vor- und Nachname);Tel.\nMia Müller;0171\nJörg Groß;0172\n", BOTH, "Zeile 1"),
    "first name and surname": ("Name,Surname\nMia,Müller\nJörg,Groß\n", BOTH, "„Surname“"),
    "Turkish": ("Ad;Soyad\nMia;Müller\nJörg;Groß\n", BOTH, "„Soyad“"),
    "short for pupils": ("SuS\nMia Müller\nJörg Groß\n", BOTH, "„SuS“"),
    "numbered": ("1. Mia Müller\n2. Jörg Groß\n", BOTH, ""),
    "with bullets": ("• Mia Müller\n• Jörg Groß\n", BOTH, ""),
    "names that are words of headings": ("Schüler;Anna\nKind;Max\n", ("Anna Schüler", "Max Kind"), ""),
    "two columns without a heading": (
        "1;Müller;Mia;w\n2;Groß;Jörg;m\n",
        BOTH,
        "„Mia Müller“. Ist es umgekehrt",
    ),
    "all in one line": ("Mia Müller, Jörg Groß, Ada", (*BOTH, "Ada"), "3 Namen"),
    "a list of one": ("1;Müller;Mia", ("Mia Müller",), "Ist es umgekehrt"),
    "numbers without a name, and a sum": (
        "Nr;Name\n1;Mia Müller\n2;Jörg Groß\n3;\n4;\nAnzahl: 2;\n",
        BOTH,
        "Weggelassen: Zeile 4 („3“), Zeile 5",
    ),
    "two classes": ("Name;Klasse\nMia;10a\nMia;10b\nAda;10b\n", ("Mia (10a)", "Mia (10b)", "Ada (10b)"), ""),
    "one class": ("Name;Klasse\nMia;10a\nAda;10a\n", ("Mia", "Ada"), ""),
    "two of one name": ("Mia\nAda\nMia\n", ("Mia (1)", "Ada", "Mia (2)"), "Mehrfach steht da „Mia“"),
    "signs that no font of ours has": ("Mia 🦊\nJörg 👩‍🚀 Groß\n", ("Mia", JOERG), "„Mia 🦊“ wird ohne"),
    "a path": ("../../etc/passwd\nAda\n", ("../../etc/passwd", "Ada"), ""),
    "a large one": ("\n".join(f"Kind {n}" for n in range(500)), tuple(f"Kind {n}" for n in range(500)), ""),
}


def test_lists_as_schools_have_them(tmp_path):
    path = tmp_path / "namen.csv"
    for kind, (content, names, said) in LISTS.items():
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        found = read_names(path)
        assert found.names == names, kind
        assert said in " ".join((*found.said, *found.doubts)), kind


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"Ada\n\n" + b"x" * 300, "Zeile 3 der Namensliste"),
        (b'Ada\n"=HYPERLINK(""http://x"")"', "Zeile 2 der Namensliste"),
        (b'Ada\n"M\xc3\xbcller;Mia\n', "Zeile 2 .* Anführungszeichen ist offen"),
        (b"Ada\nB\x07ob\n", "Zeile 2 der Namensliste"),
        ("Ada\n中国\n".encode(), "Zeile 2 .* nicht drucken"),
        (b"\n \n", "steht kein Name"),
        (b";;\n1;2;\n", "steht kein Name"),
        (b"Name;Klasse\n", "steht kein Name"),
        (b"\xff\xfe\x00", "nicht lesen"),
        (b"Ada\x00\x00\n", "nicht lesen"),
        (b"PK\x03\x04" + b"\0" * 50, "als CSV"),
    ],
)
def test_what_is_no_list_of_names_is_said_with_its_line(content, said):
    with pytest.raises(UserError, match=said):
        names_in(content, "namen.csv")
