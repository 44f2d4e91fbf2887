package strom.golden;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.fluss.row.BinaryRow;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.row.encode.AlignedRowEncoder;
import org.apache.fluss.row.encode.CompactedRowEncoder;
import org.apache.fluss.row.encode.IndexedRowEncoder;
import org.apache.fluss.row.encode.RowEncoder;
import org.apache.fluss.types.DataType;

/** row_compacted, row_indexed, row_aligned: {table, hex of each of its rows}. */
final class RowFixtures {
    private RowFixtures() {}

    static void write(Path directory) throws Exception {
        write(directory, "row_compacted", CompactedRowEncoder::new);
        write(directory, "row_indexed", IndexedRowEncoder::new);
        write(directory, "row_aligned", AlignedRowEncoder::new);
    }

    private static void write(Path directory, String folder, Function<DataType[], RowEncoder> encoder) throws Exception {
        Lines lines = new Lines();
        for (Tables table : Tables.all()) {
            List<String> hex = new ArrayList<>();
            for (GenericRow row : table.rows()) {
                hex.add(Lines.hex(bytes(encode(encoder, table.types(), row))));
            }
            lines.add("table", Lines.string(table.name()), "hex", "[" + String.join(",", hex) + "]");
        }
        lines.save(directory, folder, "rows.jsonl");
    }

    /** A new encoder for each row: one that is used again may leave old bytes in unused slots. */
    static BinaryRow encode(Function<DataType[], RowEncoder> encoder, DataType[] types, GenericRow row) {
        RowEncoder fresh = encoder.apply(types);
        fresh.startNewRow();
        for (int i = 0; i < types.length; i++) {
            fresh.encodeField(i, row.getField(i));
        }
        return fresh.finishRow();
    }

    static byte[] bytes(BinaryRow row) {
        byte[] bytes = new byte[row.getSizeInBytes()];
        row.copyTo(bytes, 0);
        return bytes;
    }
}
