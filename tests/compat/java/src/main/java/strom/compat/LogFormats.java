package strom.compat;

import java.util.ArrayList;
import java.util.List;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.metadata.LogFormat;
import org.apache.fluss.metadata.TableDescriptor;
import org.apache.fluss.row.GenericRow;

/** The log formats and compressions, with batches that compress well, badly and not at all. */
final class LogFormats implements Suite {
    @Override
    public String name() {
        return "log-formats";
    }

    @Override
    public void define(Cases cases) {
        for (String compression : List.of("NONE", "LZ4_FRAME", "ZSTD")) {
            cases.run("arrow-" + compression.toLowerCase(), c -> roundTrip(c, descriptor(LogFormat.ARROW)
                    .property("table.log.arrow.compression.type", compression)));
        }
        for (String level : List.of("1", "22")) {
            cases.run("arrow-zstd-level-" + level, c -> roundTrip(c, descriptor(LogFormat.ARROW)
                    .property("table.log.arrow.compression.zstd.level", level)));
        }
        cases.run("indexed", c -> roundTrip(c, descriptor(LogFormat.INDEXED)));
        cases.run("compacted", c -> roundTrip(c, descriptor(LogFormat.COMPACTED)));
    }

    private static TableDescriptor.Builder descriptor(LogFormat format) {
        return Rows.log(Rows.ID_NAME, 2, "id").logFormat(format);
    }

    private void roundTrip(Case c, TableDescriptor.Builder builder) throws Exception {
        Table table = c.table("t", builder.build());
        List<GenericRow> rows = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            rows.add(Rows.row(i % 3 == 0 ? null : i, i % 2 == 0 ? "row " + i : null));
        }
        rows.removeIf(row -> row.isNullAt(0));
        Rows.append(table, rows);
        Rows.append(table, Rows.row(100, "x".repeat(5000)), Rows.row(101, noise(5000)), Rows.row(102, ""));
        Rows.append(table, Rows.row(103, "y".repeat(1 << 20)), Rows.row(104, noise(1 << 20)));
        Rows.append(table, Rows.numbered(200, 1200));
        List<Rows.Read> reads = Rows.readAll(table, rows.size() + 1005);
        List<Rows.Read> shown = reads.stream().filter(r -> r.id < 205).toList();
        c.line("read %d", reads.size());
        Rows.print(c, shown);
    }

    /** Letters that no compression can shorten much, the same in every run. */
    static String noise(int length) {
        java.util.Random random = new java.util.Random(length);
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append((char) (' ' + random.nextInt(95)));
        }
        return text.toString();
    }
}
