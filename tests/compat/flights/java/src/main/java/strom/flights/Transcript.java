package strom.flights;

import java.util.Locale;

/** Prints the lines of the cases and remembers whether everything was equal. */
final class Transcript {
    /** What a case does. */
    interface Body {
        void run(Transcript out) throws Exception;
    }

    private boolean good = true;

    void run(String name, Body body) throws Exception {
        System.out.println("case " + name);
        long started = System.nanoTime();
        body.run(this);
        System.err.printf("%s: %.1f s%n", name, (System.nanoTime() - started) / 1e9);
    }

    void line(String format, Object... arguments) {
        System.out.println("  " + String.format(Locale.ROOT, format, arguments));
    }

    void equal(boolean equal) {
        line("every value equal to the source: %s", equal ? "True" : "False");
        good &= equal;
    }

    boolean good() {
        return good;
    }
}
