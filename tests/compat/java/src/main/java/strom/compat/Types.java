package strom.compat;

import java.util.List;
import org.apache.fluss.client.table.Table;
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
            cases.run(name + "-all-null", c -> allNull(c, format));
        }
    }

    private void roundTrip(Case c, Schema schema, LogFormat format, List<GenericRow> rows) throws Exception {
        Table table = c.table("t", Rows.log(schema, 1).logFormat(format).build());
        Rows.append(table, rows);
        List<Rows.Read> reads = Rows.readAll(table, rows.size());
        Rows.print(c, reads, schema.getRowType());
        for (int i = 0; i < Math.min(rows.size(), reads.size()); i++) {
            String written = Text.row(rows.get(i), schema.getRowType());
            String read = Text.row(reads.get(i).record.getRow(), schema.getRowType());
            c.line("row %d equal %s", i, written.equals(read));
        }
    }

    private void allNull(Case c, LogFormat format) throws Exception {
        Table table = c.table("t", Rows.log(TypeRows.NESTED, 1).logFormat(format).build());
        Rows.append(table, new GenericRow(8), new GenericRow(8), new GenericRow(8));
        Rows.print(c, Rows.readAll(table, 3), TypeRows.NESTED.getRowType());
    }
}
