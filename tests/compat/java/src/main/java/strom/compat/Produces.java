package strom.compat;

import org.apache.fluss.client.table.Table;
import org.apache.fluss.metadata.TablePath;
import org.apache.fluss.rpc.messages.InitWriterRequest;
import org.apache.fluss.rpc.messages.InitWriterResponse;

/** PRODUCE_LOG and INIT_WRITER by hand: what is accepted once, answered again, and refused. */
final class Produces implements Suite {
    /** Far from the ids that the servers hand out while the cases run. */
    private static final long WRITER = 1_000_000_000L;

    @Override
    public String name() {
        return "produce";
    }

    @Override
    public void define(Cases cases) {
        cases.run("acks", this::acks);
        cases.run("damaged", this::damaged);
        cases.run("unknown-bucket-or-table", this::unknown);
        cases.run("schema-ids", this::schemaIds);
        cases.run("duplicates", this::duplicates);
        cases.run("out-of-order", this::outOfOrder);
        cases.run("sequences-are-per-writer-and-bucket", this::perWriter);
        cases.run("old-table-id", this::oldTableId);
        cases.run("init-writer", this::initWriter);
    }

    /** A table of two buckets and a batch of two records that belongs to no writer. */
    private static final class Ready {
        final long id;
        final byte[] batch;

        Ready(Case c) throws Exception {
            Table table = c.closing(c.connect("client.writer.enable-idempotence", "false", Cluster.PATIENT[0], Cluster.PATIENT[1])
                    .getTable(c.createServed("t", Rows.log(Rows.ID_NAME, 2, "id").build())));
            Rows.append(table, Rows.row(0, "a"), Rows.row(0, "b"));
            int bucket = Rows.readAll(table, 2).get(0).bucket.getBucket();
            c.line("key 0 in bucket %d", bucket);
            id = table.getTableInfo().getTableId();
            batch = c.raw().batchAt(id, 0);
        }
    }

    private static void produce(Case c, String label, long id, int bucket, byte[] batch) {
        c.attempt(label, () -> c.raw().produce(id, bucket, -1, batch));
    }

    private void acks(Case c) throws Exception {
        Ready ready = new Ready(c);
        for (int acks : new int[] {0, 1, -1, 2, -2}) {
            c.attempt("acks " + acks, () -> c.raw().produce(ready.id, 1, acks, ready.batch));
        }
        c.line("records in a batch %d", Raw.recordCount(ready.batch));
    }

    private void damaged(Case c) throws Exception {
        Ready ready = new Ready(c);
        byte[] batch = ready.batch;
        produce(c, "a bit turned", ready.id, 1, Raw.damaged(batch));
        produce(c, "a byte short", ready.id, 1, java.util.Arrays.copyOf(batch, batch.length - 1));
        produce(c, "half a header", ready.id, 1, java.util.Arrays.copyOf(batch, 20));
        produce(c, "no bytes", ready.id, 1, new byte[0]);
        produce(c, "afterwards", ready.id, 1, batch);
    }

    private void unknown(Case c) throws Exception {
        Ready ready = new Ready(c);
        produce(c, "bucket", ready.id, 7, ready.batch);
        produce(c, "negative bucket", ready.id, -1, ready.batch);
        produce(c, "table", 987654, 0, ready.batch);
    }

    private void schemaIds(Case c) throws Exception {
        Ready ready = new Ready(c);
        for (int schema : new int[] {1, 2, 0}) {
            produce(c, "schema " + schema, ready.id, 1, Raw.withSchema(ready.batch, schema));
        }
    }

    private void duplicates(Case c) throws Exception {
        Ready ready = new Ready(c);
        for (int sequence = 0; sequence < 8; sequence++) {
            produce(c, "sequence " + sequence, ready.id, 1, Raw.asWriter(ready.batch, WRITER, sequence));
        }
        for (int sequence : new int[] {7, 3, 2, 0}) {
            produce(c, "again " + sequence, ready.id, 1, Raw.asWriter(ready.batch, WRITER, sequence));
        }
        produce(c, "next", ready.id, 1, Raw.asWriter(ready.batch, WRITER, 8));
    }

    private void outOfOrder(Case c) throws Exception {
        Ready ready = new Ready(c);
        produce(c, "first with 1", ready.id, 1, Raw.asWriter(ready.batch, WRITER, 1));
        produce(c, "first with 0", ready.id, 1, Raw.asWriter(ready.batch, WRITER + 1, 0));
        produce(c, "a gap", ready.id, 1, Raw.asWriter(ready.batch, WRITER + 1, 2));
        produce(c, "the missing one", ready.id, 1, Raw.asWriter(ready.batch, WRITER + 1, 1));
        produce(c, "the early one again", ready.id, 1, Raw.asWriter(ready.batch, WRITER + 1, 2));
        produce(c, "negative sequence", ready.id, 1, Raw.asWriter(ready.batch, WRITER + 1, -1));
        produce(c, "no writer", ready.id, 1, Raw.asWriter(ready.batch, -1, -1));
        produce(c, "no writer, sequence 5", ready.id, 1, Raw.asWriter(ready.batch, -1, 5));
    }

    private void perWriter(Case c) throws Exception {
        Ready ready = new Ready(c);
        produce(c, "writer 1 bucket 1", ready.id, 1, Raw.asWriter(ready.batch, WRITER, 0));
        produce(c, "writer 2 bucket 1", ready.id, 1, Raw.asWriter(ready.batch, WRITER + 1, 0));
        produce(c, "writer 1 bucket 0", ready.id, 0, Raw.asWriter(ready.batch, WRITER, 0));
        produce(c, "writer 1 bucket 1", ready.id, 1, Raw.asWriter(ready.batch, WRITER, 1));
        produce(c, "writer 2 bucket 0", ready.id, 0, Raw.asWriter(ready.batch, WRITER + 1, 1));
    }

    /** A table that is dropped and made anew must not get what was meant for the first one. */
    private void oldTableId(Case c) throws Exception {
        Ready ready = new Ready(c);
        TablePath path = c.path("t");
        Case.get(c.admin().dropTable(path, false));
        Case.get(c.admin().createTable(path, Rows.log(Rows.ID_NAME, 2, "id").build(), false));
        var table = c.closing(c.connect().getTable(path));
        Rows.append(table, Rows.row(0, "new"));
        boolean refused = false;
        for (int i = 0; i < 100 && !refused; i++) {
            // The Java server deletes the replicas of a dropped table some time later.
            refused = c.raw().produce(ready.id, 1, 1, ready.batch).startsWith("error");
            Thread.sleep(refused ? 0 : 50);
        }
        c.line("refused %s", refused);
        Rows.print(c, Rows.readAll(table, 1));
    }

    private void initWriter(Case c) throws Exception {
        TablePath path = c.create("t", Rows.log(Rows.ID_NAME, 1).build());
        long first = init(c, path).getWriterId();
        long second = init(c, path).getWriterId();
        c.line("distinct %s not negative %s", first != second, first >= 0 && second >= 0);
        c.attempt("no table", () -> init(c, c.path("never")).hasWriterId());
        c.attempt("empty", () -> Case.get(c.raw().tablet().initWriter(new InitWriterRequest())).hasWriterId());
    }

    private static InitWriterResponse init(Case c, TablePath path) throws Exception {
        InitWriterRequest request = new InitWriterRequest();
        request.addTablePath().setDatabaseName(path.getDatabaseName()).setTableName(path.getTableName());
        return Case.get(c.raw().tablet().initWriter(request));
    }
}
