package strom.golden;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.fluss.memory.UnmanagedPagedOutputView;
import org.apache.fluss.metadata.KvFormat;
import org.apache.fluss.record.DefaultValueRecordBatch;
import org.apache.fluss.record.KvRecordBatchBuilder;
import org.apache.fluss.row.BinaryRow;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.row.encode.CompactedRowEncoder;
import org.apache.fluss.row.encode.IndexedRowEncoder;
import org.apache.fluss.row.encode.ValueEncoder;

/**
 * kv_batch: batches.jsonl {table, schema_id, format, writer, sequence, keys, deleted: whether each row's key is deleted
 * rather than put, hex} and values.jsonl {table, schema_id, format, values: hex of each stored value, hex of the batch}.
 */
final class KvFixtures {
    private static final int SCHEMA_ID = 2;

    private KvFixtures() {}

    static void write(Path directory) throws Exception {
        Lines batches = new Lines();
        Lines values = new Lines();
        for (Tables table : List.of(Tables.pair(), Tables.scalars(), Tables.notNull())) {
            for (KvFormat format : KvFormat.values()) {
                addBatch(batches, table, format);
                addValues(values, table, format);
            }
        }
        batches.save(directory, "kv_batch", "batches.jsonl");
        values.save(directory, "kv_batch", "values.jsonl");
    }

    private static BinaryRow encode(Tables table, KvFormat format, GenericRow row) {
        return format == KvFormat.COMPACTED ? RowFixtures.encode(CompactedRowEncoder::new, table.types(), row)
                : RowFixtures.encode(IndexedRowEncoder::new, table.types(), row);
    }

    /** Puts every row but the last, whose key is deleted; the second key is long enough for a length of two bytes. */
    private static void addBatch(Lines lines, Tables table, KvFormat format) throws Exception {
        KvRecordBatchBuilder builder = KvRecordBatchBuilder.builder(SCHEMA_ID, Integer.MAX_VALUE,
                new UnmanagedPagedOutputView(64 * 1024), format);
        List<String> keys = new ArrayList<>();
        List<String> deleted = new ArrayList<>();
        for (int i = 0; i < table.rows().size(); i++) {
            boolean last = i == table.rows().size() - 1;
            byte[] key = new byte[i == 1 ? 200 : 1];
            key[0] = (byte) i;
            builder.append(key, last ? null : encode(table, format, table.rows().get(i)));
            keys.add(Lines.hex(key));
            deleted.add(String.valueOf(last));
        }
        builder.setWriterState(1L << 40, 9);
        builder.close();
        lines.add("table", Lines.string(table.name()), "schema_id", String.valueOf(SCHEMA_ID), "format",
                Lines.string(format.name()), "writer", String.valueOf(1L << 40), "sequence", "9", "keys",
                "[" + String.join(",", keys) + "]", "deleted", "[" + String.join(",", deleted) + "]", "hex",
                Lines.hex(Lines.bytes(builder.build())));
    }

    private static void addValues(Lines lines, Tables table, KvFormat format) throws Exception {
        DefaultValueRecordBatch.Builder builder = DefaultValueRecordBatch.builder();
        List<String> values = new ArrayList<>();
        for (GenericRow row : table.rows()) {
            byte[] value = ValueEncoder.encodeValue((short) SCHEMA_ID, encode(table, format, row));
            builder.append(value);
            values.add(Lines.hex(value));
        }
        DefaultValueRecordBatch batch = builder.build();
        byte[] bytes = new byte[batch.sizeInBytes()];
        batch.getSegment().get(batch.getPosition(), bytes, 0, bytes.length);
        lines.add("table", Lines.string(table.name()), "schema_id", String.valueOf(SCHEMA_ID), "format",
                Lines.string(format.name()), "values", "[" + String.join(",", values) + "]", "hex", Lines.hex(bytes));
    }
}
