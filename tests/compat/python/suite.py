"""The Python compatibility suite: pyfluss against a Fluss server. Usage: suite.py HOST:PORT [FILTER]"""

import sys

import cases_append  # noqa: F401  importing a module registers its cases
import cases_database  # noqa: F401
import cases_offsets  # noqa: F401
import cases_partition  # noqa: F401
import cases_scan  # noqa: F401
import cases_table  # noqa: F401
import cases_types  # noqa: F401
import harness

if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    harness.main(sys.argv)
