"""The names that pupils choose from: animals, so that no real name is ever sent."""

from typing import Final

ANIMALS: Final = (
    "Adler", "Amsel", "Biber", "Bison", "Dachs", "Delfin", "Dohle", "Drossel", "Eichhorn", "Elch", "Elster",
    "Ente", "Esel", "Eule", "Falke", "Fasan", "Feldhase", "Fink", "Fischotter", "Forelle", "Frosch", "Fuchs",
    "Gämse", "Gans", "Gecko", "Gepard", "Giraffe", "Habicht", "Hamster", "Hecht", "Hermelin", "Hirsch",
    "Hummel", "Igel", "Iltis", "Kamel", "Karpfen", "Kauz", "Koala", "Kranich", "Krebs", "Lachs", "Lama",
    "Libelle", "Luchs", "Marder", "Maulwurf", "Meise", "Möwe", "Murmeltier", "Nashorn", "Okapi", "Otter",
    "Panda", "Pelikan", "Pinguin", "Puma", "Qualle", "Rabe", "Reh", "Reiher", "Robbe", "Schwalbe", "Schwan",
    "Seepferd", "Seestern", "Specht", "Sperling", "Star", "Storch", "Tapir", "Taube", "Tiger", "Tukan",
    "Uhu", "Wal", "Waschbär", "Wiesel", "Wolf", "Yak", "Zebra", "Ziege",
)  # fmt: skip
