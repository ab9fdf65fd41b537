"""`python -m generator` is the command `papierformer`."""

import sys

from generator.cli import main

sys.exit(main())
