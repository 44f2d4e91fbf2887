package strom.compat;

import java.util.List;
import java.util.TreeMap;
import org.apache.fluss.client.admin.OffsetSpec;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.metadata.TablePath;
import org.apache.fluss.rpc.messages.ListOffsetsRequest;
import org.apache.fluss.rpc.messages.PbListOffsetsRespForBucket;

/** LIST_OFFSETS: earliest, latest, by commit time, and what is refused. */
final class Offsets implements Suite {
    @Override
    public String name() {
        return "offsets";
    }

    @Override
    public void define(Cases cases) {
        cases.run("empty", this::empty);
        cases.run("after-appends", this::afterAppends);
        cases.run("by-timestamp", this::byTimestamp);
        cases.run("refused", this::refused);
        cases.run("by-hand", this::byHand);
    }

    private static void list(Case c, TablePath path, String label, OffsetSpec spec, Integer... buckets) {
        c.attempt(label, () -> new TreeMap<>(Case.get(c.admin().listOffsets(path, List.of(buckets), spec).all())));
    }

    private void empty(Case c) throws Exception {
        TablePath path = c.createServed("t", Rows.log(Rows.ID_NAME, 2, "id").build());
        list(c, path, "earliest", new OffsetSpec.EarliestSpec(), 0, 1);
        list(c, path, "latest", new OffsetSpec.LatestSpec(), 0, 1);
        list(c, path, "timestamp 0", new OffsetSpec.TimestampSpec(0), 0, 1);
        list(c, path, "timestamp of now", new OffsetSpec.TimestampSpec(System.currentTimeMillis()), 0, 1);
    }

    private void afterAppends(Case c) throws Exception {
        Table table = c.table("t", Rows.log(Rows.ID_NAME, 3, "id").build());
        TablePath path = table.getTableInfo().getTablePath();
        Rows.append(table, Rows.numbered(0, 10));
        Rows.append(table, Rows.numbered(10, 15));
        list(c, path, "earliest", new OffsetSpec.EarliestSpec(), 0, 1, 2);
        list(c, path, "latest", new OffsetSpec.LatestSpec(), 0, 1, 2);
        list(c, path, "one bucket", new OffsetSpec.LatestSpec(), 1);
        list(c, path, "a bucket twice", new OffsetSpec.LatestSpec(), 1, 1);
        list(c, path, "no bucket", new OffsetSpec.LatestSpec());
    }

    /** Batches with distinct commit times; each time is looked up as it was read back. */
    private void byTimestamp(Case c) throws Exception {
        Table table = c.tableOfWholeBatches("t", Rows.log(Rows.ID_NAME, 1).build());
        TablePath path = table.getTableInfo().getTablePath();
        long[] times = new long[4];
        for (int batch = 0; batch < 4; batch++) {
            do {
                // Two batches in the same millisecond would make the answer a matter of chance.
                Thread.sleep(3);
            } while (System.currentTimeMillis() <= times[Math.max(0, batch - 1)]);
            Rows.append(table, Rows.numbered(batch * 3, batch * 3 + 3));
            times[batch] = Rows.readAll(table, batch * 3 + 3).get(batch * 3).timestamp;
        }
        list(c, path, "long before", new OffsetSpec.TimestampSpec(1), 0);
        for (int batch = 0; batch < 4; batch++) {
            list(c, path, "time of batch " + batch, new OffsetSpec.TimestampSpec(times[batch]), 0);
            list(c, path, "just after batch " + batch, new OffsetSpec.TimestampSpec(times[batch] + 1), 0);
        }
        list(c, path, "in the future", new OffsetSpec.TimestampSpec(System.currentTimeMillis() + 3_600_000), 0);
        list(c, path, "negative", new OffsetSpec.TimestampSpec(-1), 0);
    }

    private void refused(Case c) throws Exception {
        Table table = c.table("t", Rows.log(Rows.ID_NAME, 1).build());
        TablePath path = table.getTableInfo().getTablePath();
        Rows.append(table, Rows.numbered(0, 1));
        list(c, c.path("never"), "no table", new OffsetSpec.LatestSpec(), 0);
        c.attempt("a partition of an unpartitioned table",
                () -> c.admin().listOffsets(path, "p", List.of(0), new OffsetSpec.LatestSpec()).all());
    }

    private void byHand(Case c) throws Exception {
        Table table = c.table("t", Rows.log(Rows.ID_NAME, 1).build());
        Rows.append(table, Rows.numbered(0, 4));
        long id = table.getTableInfo().getTableId();
        for (int type = 0; type < 5; type++) {
            int wanted = type;
            c.attempt("type " + type, () -> send(c, new ListOffsetsRequest().setOffsetType(wanted).setTableId(id).setBucketIds(new int[] {0})));
        }
        c.attempt("no such bucket", () -> send(c, new ListOffsetsRequest().setOffsetType(1).setTableId(id).setBucketIds(new int[] {9})));
        c.attempt("no such table", () -> send(c, new ListOffsetsRequest().setOffsetType(1).setTableId(987654).setBucketIds(new int[] {0})));
        c.attempt("no such partition",
                () -> send(c, new ListOffsetsRequest().setOffsetType(1).setTableId(id).setPartitionId(987654).setBucketIds(new int[] {0})));
    }

    private static String send(Case c, ListOffsetsRequest request) throws Exception {
        PbListOffsetsRespForBucket bucket =
                Case.get(c.raw().tablet().listOffsets(request.setFollowerServerId(-1))).getBucketsRespAt(0);
        return bucket.hasErrorCode() ? Text.code(bucket.getErrorCode()) : "offset " + bucket.getOffset();
    }
}
