#!/usr/bin/env python3
"""Compares the transcript of a client program with the recorded one, case by case.

    compare.py ACTUAL EXPECTED [--differences FILE] [--client VERSION] [--filter PREFIX] [--complaint TEXT]

Prints a diff for each case that differs and ends with `N passed, N failed`; the exit status is 1 if a case failed.

A transcript is a list of cases, `case NAME` followed by indented lines, and ends with `cases N`. A case that is missing on
either side has failed, and so has a run without its last line. With --filter only cases whose names begin so count.

The differences file lists what Strom answers otherwise than the Java server, and why. Lines to replace and their
replacements follow each other; a line that is not in the recorded case is an error, so that no entry outlives its cause:

    case NAME
    reason: one line or more
    only: 1.0.0                    (optional: the client version that the entry is for)
      - a line as recorded
      + the line or lines that Strom prints in its place
"""
import argparse
import difflib
import sys


def read_transcript(path):
    """Returns ({name: lines}, complete); complete says that the final count is there and right."""
    cases, current, count = {}, None, None
    with open(path, encoding="utf-8") as file:
        for line in file.read().split("\n"):
            if line.startswith("case "):
                current = cases.setdefault(line[5:], [])
            elif line.startswith("cases "):
                count = int(line[6:])
            elif line.startswith("  ") and current is not None:
                current.append(line[2:])
    return cases, count == len(cases)


def read_differences(path, client):
    """Returns {name: [(removed lines, added lines)]}, leaving out the entries for other clients."""
    entries, name, hunks, wanted = {}, None, None, True

    def close():
        if name is not None and wanted:
            entries.setdefault(name, []).extend(hunks)

    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file.read().split("\n"), 1):
            if line.startswith("case "):
                close()
                name, hunks, wanted = line[5:], [], True
            elif line.startswith("only: "):
                wanted = line[6:].strip() == client
            elif line.startswith("  - "):
                if not hunks or hunks[-1][1]:
                    hunks.append(([], []))
                hunks[-1][0].append(line[4:])
            elif line.startswith("  + "):
                hunks[-1][1].append(line[4:])
            elif line and not line.startswith(("#", "reason: ", "        ")):
                sys.exit(f"{path}:{number}: expected case, reason, only, '  - ' or '  + ', found: {line}")
    close()
    return entries


def apply(lines, hunks):
    """Replaces each run of removed lines by the added ones; returns (lines, what could not be found)."""
    result, lost = list(lines), []
    for removed, added in hunks:
        for at in range(len(result) - len(removed) + 1):
            if result[at:at + len(removed)] == removed:
                result[at:at + len(removed)] = added
                break
        else:
            lost.append(removed)
    return result, lost


def compare(actual, expected, differences):
    """Prints what differs; returns (passed, failed)."""
    passed = failed = 0
    for name in list(expected) + [n for n in actual if n not in expected]:
        complaints = []
        wanted = expected.get(name)
        if wanted is None:
            complaints.append("is not in the recorded transcript")
        elif name not in actual:
            complaints.append("did not run")
        else:
            wanted, lost = apply(wanted, differences.get(name, []))
            complaints += [f"the differences file names a line that is not recorded: {line}" for r in lost for line in r]
            if wanted != actual[name]:
                complaints += list(difflib.unified_diff(wanted, actual[name], "expected", "actual", lineterm="", n=1))[2:]
        if complaints:
            failed += 1
            print(f"FAILED {name}")
            for line in complaints:
                print(f"    {line}")
        else:
            passed += 1
    return passed, failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("actual")
    parser.add_argument("expected")
    parser.add_argument("--differences")
    parser.add_argument("--client", default="")
    parser.add_argument("--filter", default="")
    parser.add_argument("--complaint", help="something else that has failed, such as the server's end")
    options = parser.parse_args()
    actual, complete = read_transcript(options.actual)
    expected, _ = read_transcript(options.expected)
    expected = {n: lines for n, lines in expected.items() if n.startswith(options.filter)}
    differences = read_differences(options.differences, options.client) if options.differences else {}
    for name in differences:
        if not options.filter and name not in expected:
            print(f"note: the differences file names a case that is not recorded for this client: {name}")
    passed, failed = compare(actual, expected, differences)
    if not complete:
        print("FAILED the client program did not reach its end")
        failed += 1
    if options.complaint:
        print(f"FAILED {options.complaint}")
        failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
