package strom.compat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import org.apache.fluss.client.Connection;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.scanner.log.LogScanner;
import org.apache.fluss.metadata.Schema;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.types.DataTypes;

/** Appending and reading: acknowledgements, writers, buckets, batches, big values, subscriptions. */
final class AppendScan implements Suite {
    @Override
    public String name() {
        return "append-scan";
    }

    @Override
    public void define(Cases cases) {
        for (String acks : List.of("0", "1", "all")) {
            for (String idempotent : List.of("true", "false")) {
                String label = "acks-" + acks + (idempotent.equals("true") ? "-idempotent" : "-plain");
                cases.run(label, c -> acks(c, acks, idempotent));
            }
        }
        cases.run("bucket-key", this::bucketKey);
        cases.run("bucket-keys-of-every-type", this::bucketKeyTypes);
        cases.run("no-bucket-key", this::noBucketKey);
        cases.run("many-batches", this::manyBatches);
        cases.run("big-values", this::bigValues);
        cases.run("subscribe-from-an-offset", this::fromOffset);
        cases.run("subscribe-out-of-range", this::outOfRange);
        cases.run("unsubscribe", this::unsubscribe);
        cases.run("two-writers", this::twoWriters);
        cases.run("small-fetches", this::smallFetches);
        cases.run("null-in-not-null-column", this::nullInNotNull);
        cases.run("wrong-number-of-fields", this::wrongFields);
        cases.run("append-to-a-dropped-table", this::droppedTable);
        cases.run("upsert-into-a-log-table", c -> c.attempt("upsert", () -> {
            Table table = c.table("t", Rows.log(Rows.ID_NAME, 1).build());
            table.newUpsert().createWriter().upsert(Rows.row(1, "a"));
            return null;
        }));
        cases.run("lookup-in-a-log-table", c -> c.attempt("lookup", () -> {
            Table table = c.table("t", Rows.log(Rows.ID_NAME, 1).build());
            return table.newLookup().createLookuper().lookup(Rows.row(1));
        }));
    }

    private void acks(Case c, String acks, String idempotent) throws Exception {
        Connection connection = c.connect("client.writer.acks", acks, "client.writer.enable-idempotence", idempotent);
        Table table = c.closing(connection.getTable(c.create("t", Rows.log(Rows.ID_NAME, 1).build())));
        Rows.append(table, Rows.numbered(0, 3));
        Rows.append(table, Rows.numbered(3, 5));
        Rows.print(c, Rows.readAll(table, 5));
    }

    private void bucketKey(Case c) throws Exception {
        Table table = c.table("t", Rows.log(Rows.ID_NAME, 7, "name").build());
        List<GenericRow> rows = new ArrayList<>(Rows.numbered(0, 20));
        rows.add(Rows.row(20, ""));
        rows.add(Rows.row(21, "héllo €"));
        rows.add(Rows.row(22, "row-1"));
        Rows.append(table, rows);
        Rows.print(c, Rows.readAll(table, rows.size()));
        c.attempt("null key", () -> {
            Rows.append(table, Rows.row(23, null));
            return null;
        });
    }

    /** Types as bucket keys of 16 buckets: the client chooses, the server must have the bucket. */
    private void bucketKeyTypes(Case c) throws Exception {
        List<GenericRow> rows = TypeRows.flat().subList(0, 3);
        for (String key : List.of("bo", "ti", "i", "bi", "d", "c4", "s", "by", "d10", "d38", "da", "t3", "n3", "n9", "l6")) {
            Table table = c.table("t_" + key, Rows.log(TypeRows.FLAT, 16, key).build());
            Rows.append(table, rows);
            // Ordered by the row's text.
            TreeMap<String, Integer> buckets = new TreeMap<>();
            for (Rows.Read read : Rows.readAll(table, rows.size())) {
                buckets.put(read.row, read.bucket.getBucket());
            }
            c.line("%s: %s", key, buckets.values());
        }
    }

    private void noBucketKey(Case c) throws Exception {
        for (String assigner : List.of("sticky", "round_robin")) {
            Connection connection = c.connect("client.writer.bucket.no-key-assigner", assigner);
            Table table = c.closing(connection.getTable(c.create("t_" + assigner, Rows.log(Rows.ID_NAME, 3).build())));
            Rows.append(table, Rows.numbered(0, 6));
            c.line(assigner);
            Rows.printSorted(c, Rows.readAll(table, 6));
        }
    }

    private void manyBatches(Case c) throws Exception {
        Connection connection = c.connect("client.writer.batch-size", "2kb", "client.writer.buffer.page-size", "1kb",
                "client.writer.dynamic-batch-size.enabled", "false");
        Table table = c.closing(connection.getTable(c.create("t", Rows.log(Rows.ID_NAME, 3, "id").build())));
        int count = 5000;
        Rows.append(table, Rows.numbered(0, count));
        List<Rows.Read> reads = Rows.readAll(table, count);
        c.line("read %d", reads.size());
        TreeMap<Integer, Long> next = new TreeMap<>();
        TreeMap<Integer, Integer> last = new TreeMap<>();
        boolean gapFree = true;
        boolean ordered = true;
        for (Rows.Read read : reads) {
            int bucket = read.bucket.getBucket();
            int id = read.id;
            gapFree &= read.offset == next.getOrDefault(bucket, 0L);
            ordered &= id > last.getOrDefault(bucket, -1);
            next.put(bucket, read.offset + 1);
            last.put(bucket, id);
        }
        c.line("gap-free %s ordered %s ends %s", gapFree, ordered, next);
    }

    private void bigValues(Case c) throws Exception {
        Schema schema =
                Schema.newBuilder().column("id", DataTypes.INT()).column("s", DataTypes.STRING()).column("b", DataTypes.BYTES()).build();
        Table table = c.table("t", Rows.log(schema, 1).build());
        byte[] noise = new byte[1 << 20];
        new java.util.Random(42).nextBytes(noise);
        List<GenericRow> rows =
                List.of(
                        Rows.row(1, "x".repeat(1 << 20), new byte[0]), Rows.row(2, "", noise),
                        Rows.row(3, "é".repeat(5000), null), Rows.row(4, null, new byte[1 << 20]), Rows.row(5, "", new byte[] {0}));
        for (GenericRow row : rows) {
            Rows.append(table, row);
        }
        Rows.print(c, Rows.readAll(table, rows.size()));
    }

    private void fromOffset(Case c) throws Exception {
        Table table = c.table("t", Rows.log(Rows.ID_NAME, 1).build());
        Rows.append(table, Rows.numbered(0, 5));
        Rows.append(table, Rows.numbered(5, 8));
        for (long offset : new long[] {0, 3, 5, 7}) {
            LogScanner scanner = c.closing(table.newScan().createLogScanner());
            scanner.subscribe(0, offset);
            c.line("from %d", offset);
            Rows.print(c, Rows.read(scanner, (int) (8 - offset), table.getTableInfo().getRowType()));
        }
        LogScanner scanner = c.closing(table.newScan().createLogScanner());
        scanner.subscribe(0, 8);
        c.line("from the end %d", scanner.poll(java.time.Duration.ofMillis(50)).count());
        Rows.append(table, Rows.numbered(8, 9));
        Rows.print(c, Rows.read(scanner, 1, table.getTableInfo().getRowType()));
    }

    private void outOfRange(Case c) throws Exception {
        Table table = c.table("t", Rows.log(Rows.ID_NAME, 1).build());
        Rows.append(table, Rows.numbered(0, 2));
        for (long offset : new long[] {100, -5}) {
            c.attempt("offset " + offset, () -> {
                LogScanner scanner = c.closing(table.newScan().createLogScanner());
                scanner.subscribe(0, offset);
                return Rows.read(scanner, 1, table.getTableInfo().getRowType()).size();
            });
        }
        c.attempt("no such bucket", () -> {
            LogScanner scanner = c.closing(table.newScan().createLogScanner());
            scanner.subscribe(5, 0);
            return scanner.poll(java.time.Duration.ofSeconds(1)).count();
        });
    }

    private void unsubscribe(Case c) throws Exception {
        Table table = c.table("t", Rows.log(Rows.ID_NAME, 2, "id").build());
        Rows.append(table, Rows.numbered(0, 10));
        LogScanner scanner = c.closing(table.newScan().createLogScanner());
        Rows.subscribeAll(scanner, 2);
        c.line("read %d", Rows.read(scanner, 10, table.getTableInfo().getRowType()).size());
        scanner.subscribe(1, 0);
        Rows.print(c, Rows.read(scanner, 1, table.getTableInfo().getRowType()));
        c.attempt("unsubscribe", () -> {
            scanner.unsubscribe(1L, 1);
            return null;
        });
        c.attempt("poll without subscription", () -> c.closing(table.newScan().createLogScanner()).poll(java.time.Duration.ofMillis(10)).count());
    }

    private void twoWriters(Case c) throws Exception {
        Table first = c.table("t", Rows.log(Rows.ID_NAME, 1).build());
        Table second = c.closing(c.connect().getTable(first.getTableInfo().getTablePath()));
        for (int i = 0; i < 6; i++) {
            Rows.append(i % 2 == 0 ? first : second, Rows.numbered(i, i + 1));
        }
        Rows.print(c, Rows.readAll(first, 6));
    }

    /** A bucket's limit below the size of a batch: each answer still makes progress. */
    private void smallFetches(Case c) throws Exception {
        Connection connection = c.connect("client.scanner.log.fetch.max-bytes", "1kb",
                "client.scanner.log.fetch.max-bytes-for-bucket", "100b", "client.scanner.log.max-poll-records", "7");
        Table table = c.closing(connection.getTable(c.create("t", Rows.log(Rows.ID_NAME, 4, "id").build())));
        for (int i = 0; i < 3; i++) {
            Rows.append(table, Rows.numbered(i * 20, i * 20 + 20));
        }
        List<Rows.Read> reads = Rows.readAll(table, 60);
        List<Integer> ids = new ArrayList<>();
        reads.forEach(r -> ids.add(r.id));
        Collections.sort(ids);
        c.line("read %d from %d to %d distinct %d", ids.size(), ids.get(0), ids.get(ids.size() - 1), ids.stream().distinct().count());
    }

    private void nullInNotNull(Case c) throws Exception {
        Schema schema = Schema.newBuilder().column("id", DataTypes.INT().copy(false)).column("s", DataTypes.STRING()).build();
        Table table = c.table("t", Rows.log(schema, 1).build());
        c.attempt("append", () -> {
            Rows.append(table, Rows.row(null, "x"));
            return null;
        });
    }

    private void wrongFields(Case c) throws Exception {
        Table table = c.table("t", Rows.log(Rows.ID_NAME, 1).build());
        c.attempt("one field", () -> {
            Rows.append(table, Rows.row(1));
            return null;
        });
        c.attempt("three fields", () -> {
            Rows.append(table, Rows.row(1, "a", "b"));
            return null;
        });
    }

    private void droppedTable(Case c) throws Exception {
        Connection connection = c.connect("client.writer.retries", "2");
        Table table = c.closing(connection.getTable(c.create("t", Rows.log(Rows.ID_NAME, 1).build())));
        Rows.append(table, Rows.numbered(0, 1));
        Case.get(c.admin().dropTable(table.getTableInfo().getTablePath(), false));
        c.attempt("open again", () -> c.connect().getTable(table.getTableInfo().getTablePath()));
    }
}
