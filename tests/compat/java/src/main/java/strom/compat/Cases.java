package strom.compat;

import java.io.PrintStream;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs cases, each with a deadline and with a database of its own, and prints the transcript. */
final class Cases {
    private static final long DEADLINE_S = 60;
    private static final long SLOW_MS = 700;

    /** What a case does; what it throws becomes its last line. */
    interface Body {
        void run(Case c) throws Exception;
    }

    private final String filter;
    private final PrintStream out;
    private final ExecutorService threads =
            Executors.newCachedThreadPool(
                    r -> {
                        Thread thread = new Thread(r, "case");
                        thread.setDaemon(true);
                        return thread;
                    });
    private Cluster cluster;
    private String suite;
    private long began;
    private int count;
    private int countBefore;

    Cases(String filter, PrintStream out) {
        this.filter = filter;
        this.out = out;
    }

    void begin(String suite, Cluster cluster) {
        this.suite = suite;
        this.cluster = cluster;
        this.began = System.nanoTime();
        this.countBefore = count;
    }

    void end() {
        if (count > countBefore) {
            System.err.printf("time %6d ms  %s%n", (System.nanoTime() - began) / 1_000_000, suite);
        }
    }

    void finish() {
        out.printf("cases %d%n", count);
        out.flush();
    }

    /** Runs one case, whose full name is {@code suite/name}. */
    void run(String name, Body body) {
        String full = suite + "/" + name;
        if (!full.startsWith(filter)) {
            return;
        }
        count++;
        long start = System.nanoTime();
        Case c = new Case(full, cluster);
        Future<?> future =
                threads.submit(
                        () -> {
                            try {
                                body.run(c);
                            } catch (Throwable t) {
                                c.line(Text.error(t));
                            } finally {
                                c.close();
                            }
                        });
        try {
            future.get(DEADLINE_S, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            future.cancel(true);
            c.line("error deadline");
        } catch (Exception e) {
            c.line(Text.error(e));
        }
        long millis = (System.nanoTime() - start) / 1_000_000;
        if (millis > SLOW_MS) {
            System.err.printf("slow %6d ms  %s%n", millis, full);
        }
        out.print("case " + full + "\n" + c.takeLines());
        out.flush();
    }
}
