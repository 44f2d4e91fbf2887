package strom.compat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.scanner.batch.BatchScanner;
import org.apache.fluss.client.table.scanner.Scan;
import org.apache.fluss.metadata.LogFormat;
import org.apache.fluss.metadata.TableBucket;
import org.apache.fluss.metadata.TableChange;
import org.apache.fluss.row.InternalRow;
import org.apache.fluss.rpc.messages.LimitScanRequest;
import org.apache.fluss.rpc.messages.LimitScanResponse;
import org.apache.fluss.types.DataTypes;
import org.apache.fluss.types.RowType;
import org.apache.fluss.utils.CloseableIterator;

/** LIMIT_SCAN: the last rows of a bucket through the batch scanner. */
final class LimitScan implements Suite {
    @Override
    public String name() {
        return "limit-scan";
    }

    @Override
    public void define(Cases cases) {
        for (LogFormat format : List.of(LogFormat.ARROW, LogFormat.INDEXED, LogFormat.COMPACTED)) {
            cases.run("limits-" + format.name().toLowerCase(), c -> limits(c, format));
        }
        cases.run("empty", this::empty);
        cases.run("projection", this::projection);
        cases.run("after-add-column", this::afterAddColumn);
        cases.run("refused", this::refused);
    }

    private static void scan(Case c, String label, Scan scan, TableBucket bucket, RowType type) {
        c.attempt(label, () -> {
            List<String> rows = new ArrayList<>();
            try (BatchScanner scanner = scan.createBatchScanner(bucket)) {
                CloseableIterator<InternalRow> batch;
                while ((batch = scanner.pollBatch(java.time.Duration.ofSeconds(5))) != null) {
                    while (batch.hasNext()) {
                        rows.add(Text.row(batch.next(), type));
                    }
                    batch.close();
                }
            }
            Collections.sort(rows);
            return rows;
        });
    }

    private static TableBucket bucket(Table table) {
        return new TableBucket(table.getTableInfo().getTableId(), 0);
    }

    private void limits(Case c, LogFormat format) throws Exception {
        Table table = c.table("t", Rows.log(Rows.ID_NAME, 1).logFormat(format).build());
        for (int i = 0; i < 4; i++) {
            Rows.append(table, Rows.numbered(i * 5, i * 5 + 5));
        }
        for (int limit : new int[] {1, 3, 5, 7, 20, 100}) {
            scan(c, "limit " + limit, table.newScan().limit(limit), bucket(table), table.getTableInfo().getRowType());
        }
    }

    private void empty(Case c) throws Exception {
        Table table = c.table("t", Rows.log(Rows.ID_NAME, 1).build());
        scan(c, "empty", table.newScan().limit(5), bucket(table), table.getTableInfo().getRowType());
    }

    private void projection(Case c) throws Exception {
        Table table = c.table("t", Rows.log(Rows.ID_NAME, 1).build());
        Rows.append(table, Rows.numbered(0, 5));
        RowType type = table.getTableInfo().getRowType().project(new int[] {1});
        scan(c, "second column", table.newScan().project(new int[] {1}).limit(3), bucket(table), type);
    }

    private void afterAddColumn(Case c) throws Exception {
        Table old = c.table("t", Rows.log(Rows.ID_NAME, 1).build());
        Rows.append(old, Rows.numbered(0, 3));
        Case.get(c.admin().alterTable(old.getTableInfo().getTablePath(),
                List.of(TableChange.addColumn("age", DataTypes.INT(), null, TableChange.ColumnPosition.last())), false));
        Table table = c.closing(c.connect().getTable(old.getTableInfo().getTablePath()));
        Rows.append(table, Rows.row(3, "new", 7));
        scan(c, "limit 3", table.newScan().limit(3), bucket(table), table.getTableInfo().getRowType());
    }

    private void refused(Case c) throws Exception {
        Table table = c.table("t", Rows.log(Rows.ID_NAME, 1).build());
        Rows.append(table, Rows.numbered(0, 5));
        long id = table.getTableInfo().getTableId();
        RowType type = table.getTableInfo().getRowType();
        c.attempt("without limit", () -> table.newScan().createBatchScanner(bucket(table)));
        c.attempt("log scanner with limit", () -> table.newScan().limit(1).createLogScanner());
        raw(c, "limit 0", new LimitScanRequest().setTableId(id).setBucketId(0).setLimit(0));
        raw(c, "limit -1", new LimitScanRequest().setTableId(id).setBucketId(0).setLimit(-1));
        raw(c, "no such bucket", new LimitScanRequest().setTableId(id).setBucketId(9).setLimit(1));
        raw(c, "no such table", new LimitScanRequest().setTableId(987654).setBucketId(0).setLimit(1));
        raw(c, "limit 2", new LimitScanRequest().setTableId(id).setBucketId(0).setLimit(2));
        scan(c, "limit 0 by the client", table.newScan().limit(0), bucket(table), type);
    }

    private static void raw(Case c, String label, LimitScanRequest request) {
        c.attempt(label, () -> {
            LimitScanResponse response = Case.get(c.raw().tablet().limitScan(request));
            if (response.hasErrorCode()) {
                return Text.code(response.getErrorCode());
            }
            return "log table " + response.isIsLogTable() + " records " + (response.hasRecords() && response.getRecordsSize() > 0);
        });
    }
}
