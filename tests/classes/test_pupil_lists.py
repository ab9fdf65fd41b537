"""Lists of pupils as schools have them: what is understood, and what is said of it."""

import pytest

from generator.basics.errors import UserError
from generator.production.pupil_list import names_in

MIA, JOERG = "Mia Müller", "Jörg Groß"
BOTH = (MIA, JOERG)

LISTS = {
    "one a line": ("Mia Müller\nJörg Groß\n", BOTH, ""),
    "Excel, with a mark": ("\ufeffNachname;Vorname\r\nMüller;Mia\r\nGroß;Jörg\r\n", BOTH, "Zeile 1"),
    "Windows-1252": ("Nr;Name\r\n1;Mia Müller\r\n2;Jörg Groß\r\n".encode("cp1252"), BOTH, "„Name“"),
    "UTF-16 without a mark": ("Vorname;Name\r\nMia;Müller\r\nJörg;Groß\r\n".encode("utf-16-le"), BOTH, ""),
    "Excel with its own first line": ("sep=,\nVorname,Nachname\nMia,Müller\nJörg,Groß\n", BOTH, "Zeile 2"),
    "title lines": (
        "Klassenliste 10a;;\nStand: 01.09.2026;;\nNr.;Nachname;Vorname\n1;Müller;Mia\n2;Groß;Jörg\n",
        BOTH,
        "Weggelassen: Zeile 1 („Klassenliste 10a“), Zeile 2",
    ),
    "a title that only its number tells": ("10a\nMia Müller\nJörg Groß\n", BOTH, "Zeile 1"),
    "empty lines of a table": ("Vorname,Nachname,Note\nMia,Müller,\n,,\nJörg,Groß,\n,,\n", BOTH, ""),
    "last name first": ("Müller, Mia\nGroß, Jörg\n", BOTH, "Vorname;Nachname"),
    "the same in a column": ('"Müller, Mia";10b\n"Groß, Jörg";10b\n', BOTH, "wird „Mia Müller“"),
    "a line between the columns": ("Nachname|Vorname|Klasse\nMüller|Mia|10a\nGroß|Jörg|10a\n", BOTH, ""),
    "timetable program with short names": (
        "Name;Langname;Vorname;Klasse\nMuelMi;Müller;Mia;10a\nGroJo;Groß;Jörg;10a\n",
        BOTH,
        "gelesen: „Langname“, „Vorname“ und „Klasse“",
    ),
    "numbered": ("1. Mia Müller\n2. Jörg Groß\n", BOTH, ""),
    "names that are words of headings": ("Schüler;Anna\nKind;Max\n", ("Anna Schüler", "Max Kind"), ""),
    "no heading": ("1;Müller;Mia;w\n2;Groß;Jörg;m\n", BOTH, "„Mia Müller“. Ist es umgekehrt"),
    "all in one line": ("Mia Müller, Jörg Groß, Ada", (*BOTH, "Ada"), "3 Namen"),
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
}
# Of schools, learning platforms and timetables, in the languages that they are in.
HEADINGS = """Nom;Prénom Soyad;Ad Surname;First_name Langname;Vorname SuS;Nr. Schülerin/Schüler;Mo
Teilnehmer/in;E-Mail-Adresse Student;ID Name_(Vor-_und_Nachname);Tel."""


@pytest.mark.parametrize("kind", LISTS)
def test_lists_as_schools_have_them(kind):
    content, names, said = LISTS[kind]
    found = names_in(content if isinstance(content, bytes) else content.encode(), "namen.csv")
    assert found.names == names
    assert said in " ".join((*found.said, *found.doubts))


@pytest.mark.parametrize("heading", HEADINGS.split())
def test_headings_as_schools_have_them(heading):
    two = heading.split(";")[1] in ("Prénom", "Ad", "First_name", "Vorname")
    rows = "Müller;Mia\nGroß;Jörg" if two else "Mia Müller;x\nJörg Groß;y"
    assert names_in(f"{heading.replace('_', ' ')}\n{rows}\n", "namen.csv").names == BOTH


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
