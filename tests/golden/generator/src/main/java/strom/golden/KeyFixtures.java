package strom.golden;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.fluss.bucketing.BucketingFunction;
import org.apache.fluss.metadata.DataLakeFormat;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.row.encode.KeyEncoder;
import org.apache.fluss.utils.MurmurHashUtils;

/**
 * key: {table, columns, encoding, hex of each row's key, null where the encoder refuses it}.
 * bucket: buckets.jsonl {encoding, key, buckets: list of [count, bucket]} and hashes.jsonl {bytes, hash}.
 */
final class KeyFixtures {
    private static final int[] COUNTS = {1, 3, 7, 16, 1000, 1024};

    private KeyFixtures() {}

    static void write(Path directory) throws Exception {
        Lines keys = new Lines();
        Lines buckets = new Lines();
        for (Tables table : List.of(Tables.scalars(), Tables.texts())) {
            for (List<String> columns : columns(table)) {
                write(keys, buckets, table, columns, "compacted", null);
                write(keys, buckets, table, columns, "paimon", DataLakeFormat.PAIMON);
                write(keys, buckets, table, columns, "iceberg", DataLakeFormat.ICEBERG);
                write(keys, buckets, table, columns, "hudi", DataLakeFormat.HUDI);
            }
        }
        keys.save(directory, "key", "keys.jsonl");
        buckets.save(directory, "bucket", "buckets.jsonl");
        writeHashes(directory);
    }

    private static void write(Lines keys, Lines buckets, Tables table, List<String> columns, String name,
            DataLakeFormat lake) {
        List<String> hex = new ArrayList<>();
        for (GenericRow row : table.rows()) {
            byte[] key;
            try {
                key = KeyEncoder.of(table.rowType(), columns, lake).encodeKey(row);
            } catch (IllegalArgumentException | NullPointerException refused) {
                hex.add("null");
                continue;
            }
            hex.add(Lines.hex(key));
            if (key.length > 0) {
                writeBuckets(buckets, name, key, BucketingFunction.of(lake));
            }
        }
        keys.add("table", Lines.string(table.name()), "columns", Lines.strings(columns), "encoding", Lines.string(name),
                "hex", "[" + String.join(",", hex) + "]");
    }

    private static void writeBuckets(Lines lines, String name, byte[] key, BucketingFunction function) {
        List<String> pairs = new ArrayList<>();
        for (int count : COUNTS) {
            pairs.add("[" + count + "," + function.bucketing(key, count) + "]");
        }
        lines.add("encoding", Lines.string(name), "key", Lines.hex(key), "buckets", "[" + String.join(",", pairs) + "]");
    }

    private static void writeHashes(Path directory) throws Exception {
        Lines lines = new Lines();
        for (int length = 0; length < 20; length++) {
            byte[] bytes = new byte[length];
            for (int i = 0; i < length; i++) {
                bytes[i] = (byte) (37 * i + 113 * length);
            }
            lines.add("bytes", Lines.hex(bytes), "hash", String.valueOf(MurmurHashUtils.hashBytes(bytes)));
        }
        lines.save(directory, "bucket", "hashes.jsonl");
    }

    /** Each column alone, and some together. */
    private static List<List<String>> columns(Tables table) {
        List<List<String>> columns = new ArrayList<>();
        List<String> names = table.rowType().getFieldNames();
        names.forEach(name -> columns.add(List.of(name)));
        columns.add(names.subList(0, 3));
        columns.add(List.of(names.get(names.size() - 1), names.get(0)));
        return columns;
    }
}
