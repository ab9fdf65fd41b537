"""The version of the program; the build reads it from here."""

VERSION = "0.5.0"
