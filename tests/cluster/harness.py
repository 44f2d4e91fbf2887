"""Cases: functions of one argument, an empty directory; one fails with an exception. Each has its time."""
import re
import shutil
import signal
import tempfile
import time
import traceback

CASES = []


class Skipped(Exception):
    """What the case needs is not there; the text says what."""


class Overdue(BaseException):
    """Not an Exception, so that no case takes it for a failure that it expects."""


def case(limit_s=60):
    """Registers the function; cases_start.defaults_are_told is the case start/defaults_are_told."""

    def register(function):
        group = function.__module__.removeprefix("cases_")
        CASES.append((f"{group}/{function.__name__}", function, limit_s))
        return function

    return register


def expect(text, *patterns):
    """Each regular expression is found in the text."""
    for pattern in patterns:
        assert re.search(pattern, text), f"expected /{pattern}/ in:\n{text}"


def overdue(*_):
    raise Overdue


def run_one(name, function, limit_s):
    directory = tempfile.mkdtemp(prefix="strom-cluster.")
    begin = time.monotonic()
    failure = skipped = None
    signal.signal(signal.SIGALRM, overdue)
    signal.alarm(limit_s)
    try:
        function(directory)
    except Overdue:
        failure = f"not done after {limit_s} s"
    except Skipped as reason:
        skipped = str(reason)
    except Exception:  # pylint: disable=broad-except
        failure = traceback.format_exc()
    finally:
        signal.alarm(0)
        shutil.rmtree(directory, ignore_errors=True)
    outcome = "FAIL" if failure else "skip" if skipped else "ok"
    print(f"{outcome:4} {name} ({skipped or f'{time.monotonic() - begin:.1f} s'})", flush=True)
    if failure:
        print("".join(f"     {line}\n" for line in failure.splitlines()), end="", flush=True)
    return outcome


def main(wanted):
    chosen = [entry for entry in CASES if entry[0].startswith(wanted)]
    results = [run_one(*entry) for entry in chosen]
    skipped = results.count("skip")
    print(f"{results.count('ok')} passed, {results.count('FAIL')} failed" + (f", {skipped} skipped" if skipped else ""))
    return 0 if chosen and "FAIL" not in results else 1
