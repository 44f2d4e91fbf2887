package strom.compat;

/**
 * The compat program: {@code Main BOOTSTRAP [FILTER]}. Runs every case whose name begins with FILTER against the server
 * and prints a transcript that is the same for every server that behaves the same (see README.md beside the sources).
 */
public final class Main {
    public static void main(String[] args) throws Exception {
        if (args.length < 1) {
            System.err.println("usage: Main BOOTSTRAP [FILTER]");
            System.exit(2);
        }
        Cases cases = new Cases(args.length > 1 ? args[1] : "", System.out);
        try (Cluster cluster = new Cluster(args[0])) {
            for (Suite suite : Suites.all()) {
                cases.begin(suite.name(), cluster);
                suite.define(cases);
                cases.end();
            }
        }
        cases.finish();
        // Client threads of a case that ran into its deadline must not keep the program alive.
        System.exit(0);
    }
}
