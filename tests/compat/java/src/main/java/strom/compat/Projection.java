package strom.compat;

import java.util.Arrays;
import java.util.List;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.scanner.log.LogScanner;
import org.apache.fluss.metadata.LogFormat;
import org.apache.fluss.metadata.Schema;
import org.apache.fluss.metadata.TableChange;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.types.DataTypes;
import org.apache.fluss.rpc.messages.FetchLogRequest;

/** Projection: which columns, in which order, of which types and formats, and what is refused. */
final class Projection implements Suite {
    @Override
    public String name() {
        return "projection";
    }

    @Override
    public void define(Cases cases) {
        for (String compression : List.of("NONE", "LZ4_FRAME", "ZSTD")) {
            cases.run("flat-" + compression.toLowerCase(), c -> flat(c, compression));
        }
        cases.run("nested", this::nested);
        cases.run("by-name-and-order", this::byName);
        cases.run("refused-by-the-client", this::refusedByClient);
        cases.run("refused-by-the-server", this::refusedByServer);
        for (LogFormat format : List.of(LogFormat.INDEXED, LogFormat.COMPACTED)) {
            cases.run("format-" + format.name().toLowerCase(), c -> otherFormat(c, format));
        }
        cases.run("after-add-column", this::afterAddColumn);
        cases.run("many-batches", this::manyBatches);
    }

    private static void project(Case c, Table table, int count, int... columns) {
        c.line("columns %s", Arrays.toString(columns));
        c.attempt("read", () -> {
            LogScanner scanner = c.closing(table.newScan().project(columns).createLogScanner());
            Rows.subscribeAll(scanner, table.getTableInfo().getNumBuckets());
            Rows.print(c, Rows.read(scanner, count, table.getTableInfo().getRowType().project(columns)));
            return null;
        });
    }

    private void flat(Case c, String compression) throws Exception {
        Table table = c.table("t", Rows.log(TypeRows.FLAT, 1).property("table.log.arrow.compression.type", compression).build());
        List<GenericRow> rows = TypeRows.flat();
        Rows.append(table, rows);
        int columns = TypeRows.FLAT.getColumns().size();
        for (int column = 0; column < columns; column++) {
            project(c, table, rows.size(), column);
        }
        project(c, table, rows.size(), 0, 8, 12, columns - 1);
    }

    private void nested(Case c) throws Exception {
        Table table = c.table("t", Rows.log(TypeRows.NESTED, 1).build());
        Rows.append(table, TypeRows.nested());
        for (int column = 0; column < TypeRows.NESTED.getColumns().size(); column++) {
            project(c, table, 4, column);
        }
        project(c, table, 4, 0, 2, 4, 7);
        project(c, table, 4, 6, 3, 1);
    }

    private void byName(Case c) throws Exception {
        Schema schema =
                Schema.newBuilder().column("a", DataTypes.INT()).column("b", DataTypes.STRING()).column("c", DataTypes.BIGINT()).build();
        Table table = c.table("t", Rows.log(schema, 1).build());
        Rows.append(table, Rows.row(1, "x", 10L), Rows.row(2, "y", 20L), Rows.row(3, null, null));
        project(c, table, 3, 2, 0);
        project(c, table, 3, 2, 1, 0);
        project(c, table, 3, 0, 1, 2);
        c.attempt("by name", () -> {
            LogScanner scanner = c.closing(table.newScan().project(List.of("c", "b")).createLogScanner());
            scanner.subscribeFromBeginning(0);
            Rows.print(c, Rows.read(scanner, 3, table.getTableInfo().getRowType().project(new int[] {2, 1})));
            return null;
        });
    }

    private void refusedByClient(Case c) throws Exception {
        Table table = c.table("t", Rows.log(Rows.ID_NAME, 1).build());
        Rows.append(table, Rows.row(1, "a"));
        c.attempt("unknown name", () -> table.newScan().project(List.of("nope")).createLogScanner());
        c.attempt("index too big", () -> table.newScan().project(new int[] {2}).createLogScanner());
        c.attempt("negative index", () -> table.newScan().project(new int[] {-1}).createLogScanner());
        project(c, table, 1, 1, 1);
    }

    private void refusedByServer(Case c) throws Exception {
        Table table = c.table("t", Rows.log(Rows.ID_NAME, 1).build());
        Rows.append(table, Rows.row(1, "a"));
        raw(c, table, "empty");
        raw(c, table, "index too big", 2);
        raw(c, table, "negative index", -1);
        raw(c, table, "twice", 1, 1);
        raw(c, table, "descending", 1, 0);
        raw(c, table, "all", 0, 1);
    }

    private static void raw(Case c, Table table, String label, int... columns) {
        c.attempt(label, () -> {
            FetchLogRequest request = Raw.fetchRequest(table.getTableInfo().getTableId(), 0, 1 << 20);
            request.getTablesReqAt(0).setProjectionPushdownEnabled(true).setProjectedFields(columns);
            var response = c.raw().fetch(request);
            return response.hasErrorCode() ? Text.code(response.getErrorCode()) : "records " + (response.getRecordsSize() > 0);
        });
    }

    private void otherFormat(Case c, LogFormat format) throws Exception {
        Table table = c.table("t", Rows.log(Rows.ID_NAME, 1).logFormat(format).build());
        Rows.append(table, Rows.row(1, "a"), Rows.row(2, "b"));
        project(c, table, 2, 1);
        raw(c, table, "by hand", 1);
    }

    private void afterAddColumn(Case c) throws Exception {
        Table old = c.table("t", Rows.log(Rows.ID_NAME, 1).build());
        Rows.append(old, Rows.row(1, "before"));
        Case.get(c.admin().alterTable(old.getTableInfo().getTablePath(),
                List.of(TableChange.addColumn("age", DataTypes.INT(), null, TableChange.ColumnPosition.last())), false));
        Table table = c.closing(c.connect().getTable(old.getTableInfo().getTablePath()));
        Rows.append(table, Rows.row(2, "after", 7));
        project(c, table, 2, 2);
        project(c, table, 2, 1, 2);
        project(c, table, 2, 0);
        project(c, old, 2, 1);
    }

    private void manyBatches(Case c) throws Exception {
        Table table = c.table("t", Rows.log(Rows.ID_NAME, 2, "id").build());
        for (int i = 0; i < 10; i++) {
            Rows.append(table, Rows.numbered(i * 100, i * 100 + 100));
        }
        LogScanner scanner = c.closing(table.newScan().project(new int[] {1}).createLogScanner());
        Rows.subscribeAll(scanner, 2);
        List<Rows.Read> reads = Rows.read(scanner, 1000, table.getTableInfo().getRowType().project(new int[] {1}));
        c.line("read %d distinct %d", reads.size(), reads.stream().map(r -> r.row).distinct().count());
    }
}
