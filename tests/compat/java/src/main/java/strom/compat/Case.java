package strom.compat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.fluss.client.Connection;
import org.apache.fluss.client.admin.Admin;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.metadata.DatabaseDescriptor;
import org.apache.fluss.metadata.TableDescriptor;
import org.apache.fluss.metadata.TableInfo;
import org.apache.fluss.metadata.TablePath;

/** A running case: its lines, its database and what it has to close. */
final class Case {
    private static final long CALL_S = 45;

    private final Cluster cluster;
    private final String database;
    private final StringBuilder lines = new StringBuilder();
    private final List<AutoCloseable> open = new ArrayList<>();
    private boolean created;

    Case(String name, Cluster cluster) {
        this.cluster = cluster;
        this.database = "c_" + name.replaceAll("[^a-zA-Z0-9]", "_");
    }

    synchronized void line(String format, Object... args) {
        lines.append("  ").append(args.length == 0 ? format : String.format(format, args)).append('\n');
    }

    /** Prints {@code label: value} with what the call returns, {@code label: ok} for null, or its error. */
    void attempt(String label, Callable<?> call) {
        String result;
        try {
            Object value = call.call();
            if (value instanceof CompletableFuture) {
                value = get((CompletableFuture<?>) value);
            }
            result = value == null ? "ok" : value.toString();
        } catch (Throwable t) {
            result = Text.error(t);
        }
        line("%s: %s", label, result);
    }

    static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(CALL_S, TimeUnit.SECONDS);
    }

    Connection connection() {
        return cluster.connection();
    }

    Admin admin() {
        return cluster.connection().getAdmin();
    }

    Raw raw() {
        return new Raw(cluster.connection());
    }

    /** A further connection, closed after the case ends; settings are key, value, key, value, ... */
    Connection connect(String... settings) {
        Connection connection = cluster.connect(settings);
        open.add(() -> cluster.closeLater(connection));
        return connection;
    }

    <T extends AutoCloseable> T closing(T resource) {
        open.add(resource);
        return resource;
    }

    /** The name of this case's database, whether it exists or not. */
    String databaseName() {
        return database;
    }

    /** Creates the case's database, empty. */
    String database() throws Exception {
        if (!created) {
            get(admin().dropDatabase(database, true, true));
            get(admin().createDatabase(database, DatabaseDescriptor.EMPTY, false));
            created = true;
        }
        return database;
    }

    TablePath path(String table) throws Exception {
        return TablePath.of(database(), table);
    }

    TablePath create(String table, TableDescriptor descriptor) throws Exception {
        TablePath path = path(table);
        get(admin().createTable(path, descriptor, false));
        return path;
    }

    /** Creates a table and waits until its buckets are served, for calls that don't wait themselves. */
    TablePath createServed(String table, TableDescriptor descriptor) throws Exception {
        TablePath path = create(table, descriptor);
        if (!descriptor.isPartitioned()) {
            TableInfo info = get(admin().getTableInfo(path));
            raw().awaitServing(info.getTableId(), null, info.getNumBuckets());
        }
        return path;
    }

    /** Creates a table and opens it. */
    Table table(String table, TableDescriptor descriptor) throws Exception {
        String format = descriptor.getProperties().getOrDefault("table.log.format", "ARROW");
        Connection connection = format.equals("ARROW") ? connection() : cluster.single();
        return closing(connection.getTable(createServed(table, descriptor)));
    }

    /** As {@link #table}; what is then appended together is one batch of a bucket. */
    Table tableOfWholeBatches(String table, TableDescriptor descriptor) throws Exception {
        return closing(cluster.patient().getTable(createServed(table, descriptor)));
    }

    void close() {
        for (int i = open.size() - 1; i >= 0; i--) {
            try {
                open.get(i).close();
            } catch (Throwable t) {
                line("close: " + Text.error(t));
            }
        }
    }

    synchronized String takeLines() {
        return lines.toString();
    }
}
