package strom.flights;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.fluss.client.Connection;
import org.apache.fluss.client.admin.Admin;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.writer.AppendWriter;
import org.apache.fluss.metadata.DatabaseDescriptor;
import org.apache.fluss.metadata.PartitionSpec;
import org.apache.fluss.metadata.TablePath;
import org.apache.fluss.row.GenericRow;

/** Creates the table and appends all rows, one at a time; each part of a month is acknowledged before the next. */
final class Loader {
    private Loader() {}

    static int load(Connection connection, TablePath path, Source source) throws Exception {
        Admin admin = connection.getAdmin();
        admin.createDatabase(path.getDatabaseName(), DatabaseDescriptor.EMPTY, false).get(30, TimeUnit.SECONDS);
        admin.createTable(path, Layout.descriptor(), false).get(30, TimeUnit.SECONDS);
        for (int month = 1; month <= Source.MONTHS; month++) {
            PartitionSpec spec = new PartitionSpec(Map.of("month", String.valueOf(month)));
            admin.createPartition(path, spec, false).get(30, TimeUnit.SECONDS);
        }
        try (Table table = connection.getTable(path)) {
            return append(table.newAppend().createWriter(), source);
        }
    }

    private static int append(AppendWriter writer, Source source) throws Exception {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        int rows = 0;
        for (int month = 1; month <= Source.MONTHS; month++) {
            for (var part : source.parts(month)) {
                for (String line : part) {
                    writer.append(GenericRow.of(Source.parse(line))).whenComplete((result, error) -> {
                        if (error != null) {
                            failure.compareAndSet(null, error);
                        }
                    });
                }
                writer.flush();
                if (failure.get() != null) {
                    throw new IllegalStateException("an append failed", failure.get());
                }
                rows += part.size();
                nextMillisecond();
            }
            System.err.printf("java: wrote month %d, %d rows so far%n", month, rows);
        }
        return rows;
    }

    /** Commit times are milliseconds: the next part must not share the last one's. */
    private static void nextMillisecond() {
        long now = System.currentTimeMillis();
        while (System.currentTimeMillis() <= now) {
            Thread.onSpinWait();
        }
    }
}
