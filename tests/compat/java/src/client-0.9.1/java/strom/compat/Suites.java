package strom.compat;

import java.util.List;

/** What runs with the client 0.9.1: a short set, since most of what it sends is what 1.0.0 sends. */
final class Suites {
    /** How long writers that send whole batches wait for more. In this client a flush does not end the wait. */
    static final String PATIENCE = "300ms";

    private Suites() {}

    static List<Suite> all() {
        return List.of(
                new Databases(), new Tables(), new AlterTable(), new AppendScan(), new Types(), new Offsets(), new LimitScan());
    }
}
