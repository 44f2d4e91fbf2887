package strom.compat;

import java.util.List;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.scanner.log.LogScanner;
import org.apache.fluss.metadata.LogFormat;
import org.apache.fluss.metadata.Schema;
import org.apache.fluss.row.GenericRow;

/** Every data type, with nulls, extreme and empty values, through every log format. */
final class Types implements Suite {
    @Override
    public String name() {
        return "types";
    }

    @Override
    public void define(Cases cases) {
        for (LogFormat format : List.of(LogFormat.ARROW, LogFormat.INDEXED, LogFormat.COMPACTED)) {
            String name = format.name().toLowerCase();
            cases.run(name + "-flat", c -> roundTrip(c, TypeRows.FLAT, format, TypeRows.flat()));
            cases.run(name + "-nested", c -> roundTrip(c, TypeRows.NESTED, format, TypeRows.nested()));
            cases.run(name + "-times", c -> times(c, format));
            cases.run(name + "-all-null", c -> allNull(c, format));
        }
    }

    private void roundTrip(Case c, Schema schema, LogFormat format, List<GenericRow> rows) throws Exception {
        Table table = c.table("t", Rows.log(schema, 1).logFormat(format).build());
        Rows.append(table, rows);
        List<Rows.Read> reads = Rows.readAll(table, rows.size());
        Rows.print(c, reads);
        for (int i = 0; i < Math.min(rows.size(), reads.size()); i++) {
            c.line("row %d equal %s", i, Text.row(rows.get(i), schema.getRowType()).equals(reads.get(i).row));
        }
    }

    /** A table for each row and column: a value that a client can't decode must not hide the others. */
    private void times(Case c, LogFormat format) throws Exception {
        String[] labels = {"year 1", "before the epoch", "the epoch", "year 2262", "year 9999"};
        GenericRow[] rows = {
            TypeRows.times(-62135596800000L, 0, 0), TypeRows.times(-1, 999_000, 999_999), TypeRows.times(0, 0, 0),
            TypeRows.times(9223372036854L, 775_000, 775_807), TypeRows.times(253402300799999L, 999_000, 999_999)
        };
        for (int i = 0; i < rows.length; i++) {
            Table table = c.table("t" + i, Rows.log(TypeRows.TIMES, 1).logFormat(format).build());
            Rows.append(table, rows[i]);
            for (int column = 0; column < 3 && format == LogFormat.ARROW; column++) {
                int[] columns = {column, column + 3};
                c.attempt(labels[i] + " precision " + (column + 1) * 3, () -> {
                    LogScanner scanner = c.closing(table.newScan().project(columns).createLogScanner());
                    scanner.subscribeFromBeginning(0);
                    return Rows.read(scanner, 1, TypeRows.TIMES.getRowType().project(columns)).get(0).row;
                });
            }
            if (format != LogFormat.ARROW) {
                c.attempt(labels[i], () -> Rows.readAll(table, 1).get(0).row);
            }
        }
    }

    private void allNull(Case c, LogFormat format) throws Exception {
        Table table = c.table("t", Rows.log(TypeRows.NESTED, 1).logFormat(format).build());
        Rows.append(table, new GenericRow(8), new GenericRow(8), new GenericRow(8));
        Rows.print(c, Rows.readAll(table, 3));
    }
}
