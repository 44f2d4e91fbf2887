package strom.compat;

import java.util.List;

/** What runs with the client 1.0.0: everything. */
final class Suites {
    /** How long writers that send whole batches wait for more; a flush ends the wait. */
    static final String PATIENCE = "20s";

    private Suites() {}

    static List<Suite> all() {
        return List.of(
                new Databases(), new AlterDatabase(), new Tables(), new Validation(), new AlterTable(), new Partitions(),
                new AppendScan(), new LogFormats(), new Types(), new Projection(), new Offsets(), new LimitScan(),
                new Fetches(), new Produces(), new Metadata(), new LongPoll());
    }
}
