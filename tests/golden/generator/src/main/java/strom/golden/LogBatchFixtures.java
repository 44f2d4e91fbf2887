package strom.golden;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.fluss.compression.ArrowCompressionInfo;
import org.apache.fluss.compression.ArrowCompressionType;
import org.apache.fluss.memory.UnmanagedPagedOutputView;
import org.apache.fluss.record.ChangeType;
import org.apache.fluss.record.LogRecordBatchStatisticsCollector;
import org.apache.fluss.record.MemoryLogRecordsArrowBuilder;
import org.apache.fluss.record.MemoryLogRecordsCompactedBuilder;
import org.apache.fluss.record.MemoryLogRecordsIndexedBuilder;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.row.arrow.ArrowWriter;
import org.apache.fluss.row.arrow.ArrowWriterPool;
import org.apache.fluss.row.compacted.CompactedRow;
import org.apache.fluss.row.encode.CompactedRowEncoder;
import org.apache.fluss.row.encode.IndexedRowEncoder;
import org.apache.fluss.row.indexed.IndexedRow;
import org.apache.fluss.shaded.arrow.org.apache.arrow.memory.RootAllocator;
import org.apache.fluss.types.DataType;
import org.apache.fluss.types.DataTypeRoot;

/**
 * log_batch_indexed, log_batch_compacted, log_batch_arrow: {table, schema_id, append_only, changes, writer, sequence, hex}, for
 * Arrow also {compression, statistics: positions of the columns that have them}.
 */
final class LogBatchFixtures {
    private static final int PAGE = 64 * 1024;
    private static final ArrowCompressionInfo NONE = ArrowCompressionInfo.NO_COMPRESSION;
    private static final ArrowCompressionInfo LZ4 = new ArrowCompressionInfo(ArrowCompressionType.LZ4_FRAME, -1);
    private static final ArrowCompressionInfo ZSTD = new ArrowCompressionInfo(ArrowCompressionType.ZSTD, 3);

    private record Batch(Tables table, int schemaId, boolean appendOnly, long writer, int sequence) {
        ChangeType change(int i) {
            return appendOnly ? ChangeType.APPEND_ONLY : ChangeType.values()[1 + i % 4];
        }

        List<GenericRow> rows() {
            return table.rows();
        }
    }

    private interface Builder {
        byte[] build(Batch batch) throws Exception;
    }

    private LogBatchFixtures() {}

    static void write(Path directory) throws Exception {
        writeRows(directory, "log_batch_indexed", LogBatchFixtures::indexed);
        writeRows(directory, "log_batch_compacted", LogBatchFixtures::compacted);
        writeArrow(directory);
    }

    private static void writeRows(Path directory, String folder, Builder builder) throws Exception {
        Lines lines = new Lines();
        for (Tables table : Tables.all()) {
            add(lines, new Batch(table, 1, true, 77, 3), builder);
            add(lines, new Batch(table, 300, false, -1, -1), builder);
        }
        add(lines, new Batch(Tables.empty(), 1, false, 5, 0), builder);
        lines.save(directory, folder, "batches.jsonl");
    }

    private static void writeArrow(Path directory) throws Exception {
        Lines lines = new Lines();
        for (Tables table : Tables.all()) {
            addArrow(lines, new Batch(table, 1, true, 77, 3), NONE, false);
        }
        for (Tables table : List.of(Tables.pair(), Tables.scalars(), Tables.nestedRows())) {
            addArrow(lines, new Batch(table, 300, false, -1, -1), NONE, false);
            addArrow(lines, new Batch(table, 1, true, -1, -1), LZ4, false);
            addArrow(lines, new Batch(table, 1, true, -1, -1), ZSTD, false);
        }
        for (Tables table : List.of(Tables.pair(), Tables.scalars(), Tables.notNull())) {
            addArrow(lines, new Batch(table, 1, true, 77, 3), NONE, true);
        }
        for (ArrowCompressionInfo compression : List.of(NONE, LZ4, ZSTD)) {
            addArrow(lines, new Batch(Tables.repetitive(), 1, true, -1, -1), compression, false);
        }
        addArrow(lines, new Batch(Tables.empty(), 1, false, 5, 0), NONE, false);
        lines.save(directory, "log_batch_arrow", "batches.jsonl");
    }

    private static void add(Lines lines, Batch batch, Builder builder) throws Exception {
        List<String> members = describe(batch);
        members.addAll(List.of("hex", Lines.hex(builder.build(batch))));
        lines.add(members.toArray(new String[0]));
    }

    private static void addArrow(Lines lines, Batch batch, ArrowCompressionInfo compression, boolean statistics)
            throws Exception {
        int[] columns = statistics ? statisticsColumns(batch.table()) : new int[0];
        List<String> members = describe(batch);
        members.addAll(List.of("compression", Lines.string(compression.getCompressionType().name()), "statistics",
                java.util.Arrays.toString(columns), "hex", Lines.hex(arrow(batch, compression, columns))));
        lines.add(members.toArray(new String[0]));
    }

    private static List<String> describe(Batch batch) {
        List<String> changes = new ArrayList<>();
        for (int i = 0; i < batch.rows().size(); i++) {
            changes.add(String.valueOf(batch.change(i).toByteValue()));
        }
        return new ArrayList<>(List.of("table", Lines.string(batch.table().name()), "schema_id",
                String.valueOf(batch.schemaId()), "append_only", String.valueOf(batch.appendOnly()), "changes",
                "[" + String.join(",", changes) + "]", "writer", String.valueOf(batch.writer()), "sequence",
                String.valueOf(batch.sequence())));
    }

    private static byte[] indexed(Batch batch) throws Exception {
        MemoryLogRecordsIndexedBuilder builder = MemoryLogRecordsIndexedBuilder.builder(batch.schemaId(), Integer.MAX_VALUE,
                new UnmanagedPagedOutputView(PAGE), batch.appendOnly());
        for (int i = 0; i < batch.rows().size(); i++) {
            builder.append(batch.change(i), (IndexedRow) RowFixtures.encode(IndexedRowEncoder::new, batch.table().types(),
                    batch.rows().get(i)));
        }
        builder.setWriterState(batch.writer(), batch.sequence());
        builder.close();
        return Lines.bytes(builder.build());
    }

    private static byte[] compacted(Batch batch) throws Exception {
        MemoryLogRecordsCompactedBuilder builder = MemoryLogRecordsCompactedBuilder.builder(batch.schemaId(),
                Integer.MAX_VALUE, new UnmanagedPagedOutputView(PAGE), batch.appendOnly());
        for (int i = 0; i < batch.rows().size(); i++) {
            builder.append(batch.change(i), (CompactedRow) RowFixtures.encode(CompactedRowEncoder::new,
                    batch.table().types(), batch.rows().get(i)));
        }
        builder.setWriterState(batch.writer(), batch.sequence());
        builder.close();
        return Lines.bytes(builder.build());
    }

    private static byte[] arrow(Batch batch, ArrowCompressionInfo compression, int[] statistics) throws Exception {
        try (RootAllocator allocator = new RootAllocator(Long.MAX_VALUE);
                ArrowWriterPool pool = new ArrowWriterPool(allocator)) {
            ArrowWriter writer = pool.getOrCreateWriter(1, batch.schemaId(), Integer.MAX_VALUE, batch.table().rowType(),
                    compression);
            MemoryLogRecordsArrowBuilder builder = MemoryLogRecordsArrowBuilder.builder(batch.schemaId(), writer,
                    new UnmanagedPagedOutputView(PAGE), batch.appendOnly(), statistics.length == 0 ? null
                            : new LogRecordBatchStatisticsCollector(batch.table().rowType(), statistics));
            for (int i = 0; i < batch.rows().size(); i++) {
                builder.append(batch.change(i), batch.rows().get(i));
            }
            builder.setWriterState(batch.writer(), batch.sequence());
            builder.close();
            return Lines.bytes(builder.build());
        }
    }

    /** The columns whose types statistics support. */
    private static int[] statisticsColumns(Tables table) {
        DataType[] types = table.types();
        return IntStream.range(0, types.length).filter(i -> !List.of(DataTypeRoot.CHAR, DataTypeRoot.BINARY,
                DataTypeRoot.BYTES).contains(types[i].getTypeRoot())).toArray();
    }
}
