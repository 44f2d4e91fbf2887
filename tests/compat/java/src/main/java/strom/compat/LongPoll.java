package strom.compat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.scanner.log.LogScanner;
import org.apache.fluss.rpc.messages.FetchLogResponse;

/** Readers that wait: data that comes later arrives. How soon is the bench's matter. */
final class LongPoll implements Suite {
    @Override
    public String name() {
        return "long-poll";
    }

    @Override
    public void define(Cases cases) {
        cases.run("append-reaches-a-waiting-scanner", this::scanner);
        cases.run("append-reaches-a-waiting-fetch", this::fetch);
        cases.run("wakeup", this::wakeup);
        cases.run("many-waiting-readers", this::many);
    }

    private void scanner(Case c) throws Exception {
        Table table = c.table("t", Rows.log(Rows.ID_NAME, 2, "id").build());
        LogScanner scanner = c.closing(table.newScan().createLogScanner());
        Rows.subscribeAll(scanner, 2);
        c.line("empty %d", scanner.poll(Duration.ofMillis(50)).count());
        for (int round = 0; round < 3; round++) {
            Rows.append(table, Rows.numbered(round * 4, round * 4 + 4));
            Rows.print(c, Rows.read(scanner, 4, table.getTableInfo().getRowType()));
        }
    }

    private void fetch(Case c) throws Exception {
        Table table = c.table("t", Rows.log(Rows.ID_NAME, 1).build());
        Rows.append(table, Rows.numbered(0, 1));
        long id = table.getTableInfo().getTableId();
        // Another connection: the waiting fetch must not hold up the append.
        CompletableFuture<FetchLogResponse> waiting = new Raw(c.connect()).tablet()
                .fetchLog(Raw.fetchRequest(id, 1, 1 << 20).setMinBytes(1).setMaxWaitMs(1000));
        Rows.append(table, Rows.numbered(1, 2));
        var bucket = waiting.get(20, TimeUnit.SECONDS).getTablesRespAt(0).getBucketsRespAt(0);
        c.line("records %s watermark %d", bucket.hasRecords() && bucket.getRecordsSize() > 0, bucket.getHighWatermark());
    }

    private void wakeup(Case c) throws Exception {
        Table table = c.table("t", Rows.log(Rows.ID_NAME, 1).build());
        LogScanner scanner = c.closing(table.newScan().createLogScanner());
        scanner.subscribeFromBeginning(0);
        CompletableFuture<Integer> polled = CompletableFuture.supplyAsync(() -> scanner.poll(Duration.ofSeconds(25)).count());
        while (!polled.isDone()) {
            scanner.wakeup();
            Thread.sleep(5);
        }
        c.attempt("woken", () -> polled);
    }

    private void many(Case c) throws Exception {
        Table table = c.table("t", Rows.log(Rows.ID_NAME, 4, "id").build());
        LogScanner[] scanners = new LogScanner[5];
        for (int i = 0; i < scanners.length; i++) {
            scanners[i] = c.closing(table.newScan().createLogScanner());
            Rows.subscribeAll(scanners[i], 4);
            scanners[i].poll(Duration.ofMillis(1));
        }
        Rows.append(table, Rows.numbered(0, 40));
        for (int i = 0; i < scanners.length; i++) {
            c.line("reader %d read %d", i, Rows.read(scanners[i], 40, table.getTableInfo().getRowType()).size());
        }
    }
}
