package strom.compat;

import java.util.ArrayList;
import java.util.List;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.rpc.messages.FetchLogRequest;
import org.apache.fluss.rpc.messages.FetchLogResponse;
import org.apache.fluss.rpc.messages.PbFetchLogRespForBucket;

/** FETCH_LOG by hand: limits, minimum bytes, offsets out of range, buckets that are not there. */
final class Fetches implements Suite {
    private static final int BIG = 1 << 20;

    @Override
    public String name() {
        return "fetch";
    }

    @Override
    public void define(Cases cases) {
        cases.run("offsets", this::offsets);
        cases.run("bucket-limit", this::bucketLimit);
        cases.run("every-bucket-is-served", this::everyBucket);
        cases.run("minimum-bytes", this::minimumBytes);
        cases.run("unknown-bucket-or-table", this::unknown);
        cases.run("one-bad-bucket-of-three", this::oneBad);
        cases.run("empty-request", c -> c.attempt("tables", () -> Case.get(
                c.raw().tablet().fetchLog(new FetchLogRequest().setFollowerServerId(-1).setMaxBytes(BIG))).getTablesRespsCount()));
    }

    private static String describe(PbFetchLogRespForBucket bucket) {
        if (bucket.hasErrorCode()) {
            return Text.code(bucket.getErrorCode());
        }
        byte[] records = bucket.hasRecords() ? bucket.getRecords() : new byte[0];
        String first = records.length > 48 ? " first " + Raw.baseOffset(records) : "";
        return "watermark " + bucket.getHighWatermark() + " start " + bucket.getLogStartOffset() + " whole batches "
                + Raw.wholeBatches(records) + first;
    }

    private Table threeBatches(Case c) throws Exception {
        Table table = c.tableOfWholeBatches("t", Rows.log(Rows.ID_NAME, 1).build());
        for (int i = 0; i < 3; i++) {
            Rows.append(table, Rows.numbered(i * 5, i * 5 + 5));
        }
        return table;
    }

    private void offsets(Case c) throws Exception {
        long id = threeBatches(c).getTableInfo().getTableId();
        for (long offset : new long[] {-2, 0, 2, 5, 14, 15, 16, 1000, -1, -3, Long.MAX_VALUE, Long.MIN_VALUE}) {
            c.attempt("offset " + offset, () -> describe(c.raw().fetch(Raw.fetchRequest(id, offset, BIG))));
        }
    }

    /** Whatever the limit, the first batch comes whole. */
    private void bucketLimit(Case c) throws Exception {
        long id = threeBatches(c).getTableInfo().getTableId();
        int batch = c.raw().batchAt(id, 0).length;
        c.attempt("one byte", () -> describe(c.raw().fetch(Raw.fetchRequest(id, 0, 1))));
        c.attempt("zero bytes", () -> describe(c.raw().fetch(Raw.fetchRequest(id, 0, 0))));
        c.attempt("one batch", () -> describe(c.raw().fetch(Raw.fetchRequest(id, 0, batch))));
        c.attempt("a batch and a bit", () -> describe(c.raw().fetch(Raw.fetchRequest(id, 0, batch + 60))));
        c.attempt("two batches", () -> describe(c.raw().fetch(Raw.fetchRequest(id, 0, 2 * batch + 20))));
        c.attempt("negative", () -> describe(c.raw().fetch(Raw.fetchRequest(id, 0, -1))));
    }

    /** With room for one batch a fetch, as many fetches as buckets must bring something from each bucket. */
    private void everyBucket(Case c) throws Exception {
        int buckets = 8;
        Table table = c.tableOfWholeBatches("t", Rows.log(Rows.ID_NAME, buckets, "id").build());
        Rows.append(table, Rows.numbered(0, 200));
        long id = table.getTableInfo().getTableId();
        List<Integer> waiting = new ArrayList<>();
        for (int i = 0; i < buckets; i++) {
            waiting.add(i);
        }
        int fetches = 0;
        while (!waiting.isEmpty() && fetches < buckets) {
            FetchLogRequest request = new FetchLogRequest().setFollowerServerId(-1).setMaxBytes(1);
            var tableRequest = request.addTablesReq().setTableId(id).setProjectionPushdownEnabled(false);
            waiting.forEach(b -> tableRequest.addBucketsReq().setBucketId(b).setFetchOffset(0).setMaxFetchBytes(BIG));
            fetches++;
            FetchLogResponse response = Case.get(c.raw().tablet().fetchLog(request));
            for (PbFetchLogRespForBucket bucket : response.getTablesRespAt(0).getBucketsRespsList()) {
                if (bucket.hasRecords() && bucket.getRecordsSize() > 0) {
                    waiting.remove((Integer) bucket.getBucketId());
                }
            }
        }
        c.line("waiting %d", waiting.size());
    }

    /** Without minimum bytes an answer comes at once; with them it comes when the wait is over. */
    private void minimumBytes(Case c) throws Exception {
        Table table = c.tableOfWholeBatches("t", Rows.log(Rows.ID_NAME, 1).build());
        long id = table.getTableInfo().getTableId();
        Rows.append(table, Rows.numbered(0, 1));
        c.attempt("none", () -> describe(c.raw().fetch(Raw.fetchRequest(id, 1, BIG))));
        c.attempt("1 at the end", () -> describe(c.raw().fetch(Raw.fetchRequest(id, 1, BIG).setMinBytes(1).setMaxWaitMs(20))));
        c.attempt("1 with data", () -> describe(c.raw().fetch(Raw.fetchRequest(id, 0, BIG).setMinBytes(1).setMaxWaitMs(20_000))));
        c.attempt("more than there is", () -> describe(c.raw().fetch(Raw.fetchRequest(id, 0, BIG).setMinBytes(BIG).setMaxWaitMs(20))));
        c.attempt("out of range does not wait",
                () -> describe(c.raw().fetch(Raw.fetchRequest(id, 99, BIG).setMinBytes(1).setMaxWaitMs(25_000))));
        c.attempt("negative wait", () -> describe(c.raw().fetch(Raw.fetchRequest(id, 1, BIG).setMinBytes(1).setMaxWaitMs(-1))));
    }

    private void unknown(Case c) throws Exception {
        long id = threeBatches(c).getTableInfo().getTableId();
        FetchLogRequest bucket = Raw.fetchRequest(id, 0, BIG);
        bucket.getTablesReqAt(0).getBucketsReqAt(0).setBucketId(7);
        c.attempt("bucket", () -> describe(c.raw().fetch(bucket)));
        c.attempt("table", () -> describe(c.raw().fetch(Raw.fetchRequest(987654, 0, BIG))));
        FetchLogRequest partition = Raw.fetchRequest(id, 0, BIG);
        partition.getTablesReqAt(0).getBucketsReqAt(0).setPartitionId(987654);
        c.attempt("partition", () -> describe(c.raw().fetch(partition)));
    }

    private void oneBad(Case c) throws Exception {
        Table table = c.tableOfWholeBatches("t", Rows.log(Rows.ID_NAME, 2, "id").build());
        Rows.append(table, Rows.numbered(0, 10));
        FetchLogRequest request = Raw.fetchRequest(table.getTableInfo().getTableId(), 0, BIG);
        var buckets = request.getTablesReqAt(0);
        buckets.addBucketsReq().setBucketId(1).setFetchOffset(999).setMaxFetchBytes(BIG);
        buckets.addBucketsReq().setBucketId(5).setFetchOffset(0).setMaxFetchBytes(BIG);
        FetchLogResponse response = Case.get(c.raw().tablet().fetchLog(request));
        List<String> lines = new ArrayList<>();
        response.getTablesRespAt(0).getBucketsRespsList().forEach(b -> lines.add("bucket " + b.getBucketId() + ": " + describe(b)));
        lines.stream().sorted().forEach(c::line);
    }
}
