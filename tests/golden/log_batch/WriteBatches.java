// Writes the golden batches with the published Fluss classes into the current directory. Magic 0, schema id 1:
//   indexed, compacted   row formats, (a INT, b STRING); indexed of writer 77, sequence 3; compacted with +I -D
//   arrow, arrow_changes, arrow_lz4_raw, arrow_statistics (magic 1)      the same rows
//   arrow_zstd, arrow_lz4  64 equal rows (null, 5) of (s STRING, v BIGINT); other codec versions give other bytes
//   types.hex            all types without nesting, append-only: full row, all-null row, boundary row
//   nested.hex           arrays, maps and rows with nulls, empty collections and values behind null parents
//   empty_arrays.hex     columns whose only arrays and maps are empty, so that children have no values
//   changes.hex          (a INT, b STRING, c BIGINT) with +I -U +U -D
//   *_project_P.hex      the above as the Java server's projection leaves them, P = projected positions
// Run: javac -cp fluss-client-1.0.0.jar WriteBatches.java && \
//      java --add-opens=java.base/java.nio=ALL-UNNAMED -cp fluss-client-1.0.0.jar:. WriteBatches
import java.io.File;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.fluss.compression.ArrowCompressionInfo;
import org.apache.fluss.compression.ArrowCompressionType;
import org.apache.fluss.memory.UnmanagedPagedOutputView;
import org.apache.fluss.metadata.Schema;
import org.apache.fluss.metadata.SchemaGetter;
import org.apache.fluss.metadata.SchemaInfo;
import org.apache.fluss.record.ChangeType;
import org.apache.fluss.record.FileLogProjection;
import org.apache.fluss.record.FileLogRecords;
import org.apache.fluss.record.LogRecordBatchStatisticsCollector;
import org.apache.fluss.record.MemoryLogRecordsArrowBuilder;
import org.apache.fluss.record.MemoryLogRecordsCompactedBuilder;
import org.apache.fluss.record.MemoryLogRecordsIndexedBuilder;
import org.apache.fluss.record.ProjectionPushdownCache;
import org.apache.fluss.record.bytesview.BytesView;
import org.apache.fluss.row.BinaryRow;
import org.apache.fluss.row.BinaryString;
import org.apache.fluss.row.Decimal;
import org.apache.fluss.row.GenericArray;
import org.apache.fluss.row.GenericMap;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.row.TimestampLtz;
import org.apache.fluss.row.TimestampNtz;
import org.apache.fluss.row.arrow.ArrowWriter;
import org.apache.fluss.row.arrow.ArrowWriterPool;
import org.apache.fluss.row.compacted.CompactedRow;
import org.apache.fluss.row.encode.CompactedRowEncoder;
import org.apache.fluss.row.encode.IndexedRowEncoder;
import org.apache.fluss.row.encode.RowEncoder;
import org.apache.fluss.row.indexed.IndexedRow;
import org.apache.fluss.shaded.arrow.org.apache.arrow.memory.RootAllocator;
import org.apache.fluss.shaded.netty4.io.netty.buffer.ByteBuf;
import org.apache.fluss.types.DataType;
import org.apache.fluss.types.DataTypes;

public class WriteBatches {
  static final ArrowWriterPool POOL = new ArrowWriterPool(new RootAllocator(Long.MAX_VALUE));
  static int tables = 0;

  public static void main(String[] args) throws Exception {
    small();
    Schema types = types();
    byte[] batch = write("types", types, null, fullRow(), new GenericRow(21), boundaryRow());
    project("types", types, batch, 0, 8, 10, 20);
    project("types", types, batch, 1, 2, 3);

    Schema nested = nested();
    batch = write("nested", nested, null, nestedRows());
    project("nested", nested, batch, 1);
    project("nested", nested, batch, 0, 2, 4);
    write("empty_arrays", nested, null, emptyRows());

    Schema changes = schema("a", DataTypes.INT(), "b", DataTypes.STRING(), "c", DataTypes.BIGINT());
    ChangeType[] all = {ChangeType.INSERT, ChangeType.UPDATE_BEFORE, ChangeType.UPDATE_AFTER, ChangeType.DELETE};
    batch =
        write("changes", changes, all,
            GenericRow.of(1, s("one"), 10L), GenericRow.of(1, s("one"), 10L),
            GenericRow.of(1, null, 11L), GenericRow.of(1, null, 11L));
    project("changes", changes, batch, 2);
    project("changes", changes, batch, 0, 2);
    POOL.close();
  }

  static void small() throws Exception {
    Schema schema = schema("a", DataTypes.INT(), "b", DataTypes.STRING());
    DataType[] types = schema.getRowType().getChildren().toArray(new DataType[0]);
    GenericRow[] rows = {GenericRow.of(1, s("a")), GenericRow.of(2, null)};
    ChangeType[] changes = {ChangeType.INSERT, ChangeType.DELETE};

    MemoryLogRecordsIndexedBuilder indexed =
        MemoryLogRecordsIndexedBuilder.builder(1, 1 << 16, new UnmanagedPagedOutputView(1 << 16), true);
    IndexedRowEncoder toIndexed = new IndexedRowEncoder(types);
    for (GenericRow row : rows) indexed.append(ChangeType.APPEND_ONLY, (IndexedRow) encode(toIndexed, row));
    indexed.setWriterState(77L, 3);
    indexed.close();
    save("indexed", indexed.build());

    MemoryLogRecordsCompactedBuilder compacted =
        MemoryLogRecordsCompactedBuilder.builder(1, 1 << 16, new UnmanagedPagedOutputView(1 << 16), false);
    CompactedRowEncoder toCompacted = new CompactedRowEncoder(types);
    for (int i = 0; i < 2; i++) compacted.append(changes[i], (CompactedRow) encode(toCompacted, rows[i]));
    compacted.close();
    save("compacted", compacted.build());

    write("arrow", schema, null, rows);
    write("arrow_changes", schema, changes, rows);
    ArrowCompressionInfo lz4 = new ArrowCompressionInfo(ArrowCompressionType.LZ4_FRAME, -1);
    write("arrow_lz4_raw", schema, null, lz4, null, rows);
    write("arrow_statistics", schema, null, ArrowCompressionInfo.NO_COMPRESSION,
        new LogRecordBatchStatisticsCollector(schema.getRowType(), new int[] {0, 1}), rows);

    GenericRow[] equal = new GenericRow[64];
    Arrays.fill(equal, GenericRow.of(null, 5L));
    Schema other = schema("s", DataTypes.STRING(), "v", DataTypes.BIGINT());
    write("arrow_zstd", other, null, new ArrowCompressionInfo(ArrowCompressionType.ZSTD, 3), null, equal);
    write("arrow_lz4", other, null, lz4, null, equal);
  }

  static BinaryRow encode(RowEncoder encoder, GenericRow row) {
    encoder.startNewRow();
    for (int i = 0; i < row.getFieldCount(); i++) encoder.encodeField(i, row.getField(i));
    return encoder.finishRow();
  }

  static Schema schema(Object... namesAndTypes) {
    Schema.Builder builder = Schema.newBuilder();
    for (int i = 0; i < namesAndTypes.length; i += 2) {
      builder.column((String) namesAndTypes[i], (DataType) namesAndTypes[i + 1]);
    }
    return builder.build();
  }

  static Schema types() {
    return schema(
        "bo", DataTypes.BOOLEAN(), "ti", DataTypes.TINYINT(), "si", DataTypes.SMALLINT(), "i", DataTypes.INT(),
        "bi", DataTypes.BIGINT(), "f", DataTypes.FLOAT(), "d", DataTypes.DOUBLE(), "c4", DataTypes.CHAR(4),
        "s", DataTypes.STRING(), "b3", DataTypes.BINARY(3), "by", DataTypes.BYTES(), "d10", DataTypes.DECIMAL(10, 2),
        "d25", DataTypes.DECIMAL(25, 3), "da", DataTypes.DATE(), "t0", DataTypes.TIME(0), "t3", DataTypes.TIME(3),
        "t9", DataTypes.TIME(9), "p0", DataTypes.TIMESTAMP(0), "p3", DataTypes.TIMESTAMP(3),
        "p6", DataTypes.TIMESTAMP(6), "l9", DataTypes.TIMESTAMP_LTZ(9));
  }

  static GenericRow fullRow() {
    return GenericRow.of(
        true, (byte) -2, (short) 300, -5, 1234567890123L, 1.5f, -2.25d, s("ab  "), s("h\u00e9llo, world"),
        new byte[] {1, 2, 3}, new byte[] {9, 8}, Decimal.fromBigDecimal(new BigDecimal("12345.67"), 10, 2),
        Decimal.fromBigDecimal(new BigDecimal("-1234567890123456789.125"), 25, 3), 19000, 45296000, 45296789, 45296789,
        TimestampNtz.fromMillis(1700000000000L), TimestampNtz.fromMillis(1700000000123L),
        TimestampNtz.fromMillis(1700000000123L, 456000), TimestampLtz.fromEpochMillis(1700000000123L, 456789));
  }

  static GenericRow boundaryRow() {
    return GenericRow.of(
        false, Byte.MIN_VALUE, Short.MIN_VALUE, Integer.MIN_VALUE, Long.MIN_VALUE, Float.NaN, -0.0d, s(""), s(""),
        new byte[] {0, 0, 0}, new byte[0], Decimal.fromBigDecimal(new BigDecimal("-99999999.99"), 10, 2),
        Decimal.fromBigDecimal(new BigDecimal("9999999999999999999999.999"), 25, 3), -719162, 0, 86399999, 86399999,
        TimestampNtz.fromMillis(-62135596800000L), TimestampNtz.fromMillis(-1L), TimestampNtz.fromMillis(-1L, 999000),
        TimestampLtz.fromEpochMillis(-1L, 999999));
  }

  static Schema nested() {
    return schema(
        "a", DataTypes.ARRAY(DataTypes.INT()),
        "m", DataTypes.MAP(DataTypes.STRING(), DataTypes.BIGINT()),
        "r", DataTypes.ROW(DataTypes.FIELD("x", DataTypes.INT()), DataTypes.FIELD("y", DataTypes.STRING()),
            DataTypes.FIELD("z", DataTypes.ARRAY(DataTypes.BOOLEAN()))),
        "aa", DataTypes.ARRAY(DataTypes.ARRAY(DataTypes.STRING())),
        "ar", DataTypes.ARRAY(DataTypes.ROW(DataTypes.FIELD("p", DataTypes.DOUBLE()))));
  }

  static GenericRow[] nestedRows() {
    Map<Object, Object> map = new LinkedHashMap<>();
    map.put(s("k1"), 11L);
    map.put(s("k2"), null);
    return new GenericRow[] {
      GenericRow.of(GenericArray.of(1, null, 3), new GenericMap(map),
          GenericRow.of(42, s("longer than seven"), GenericArray.of(true, false, null)),
          GenericArray.of(GenericArray.of(s("u"), null), null, GenericArray.of()),
          GenericArray.of(GenericRow.of(1.5d), null, GenericRow.of((Object) null))),
      new GenericRow(5),
      GenericRow.of(GenericArray.of(), GenericMap.of(), GenericRow.of(null, null, null), GenericArray.of(),
          GenericArray.of()),
      GenericRow.of(GenericArray.of(7), GenericMap.of(s("z"), 26L), GenericRow.of(1, s("w"), GenericArray.of()),
          GenericArray.of((Object) GenericArray.of(s("v"))), GenericArray.of(GenericRow.of(2.5d))),
    };
  }

  static GenericRow[] emptyRows() {
    return new GenericRow[] {
      GenericRow.of(GenericArray.of(), GenericMap.of(), null, GenericArray.of(), GenericArray.of()), new GenericRow(5)
    };
  }

  static BinaryString s(String text) {
    return BinaryString.fromString(text);
  }

  // One batch, append-only without `changes`, of magic 1 with `statistics`.
  static byte[] write(String name, Schema schema, ChangeType[] changes, ArrowCompressionInfo compression,
      LogRecordBatchStatisticsCollector statistics, GenericRow... rows) throws Exception {
    UnmanagedPagedOutputView out = new UnmanagedPagedOutputView(1 << 16);
    ArrowWriter writer = POOL.getOrCreateWriter(++tables, 1, 1 << 20, schema.getRowType(), compression);
    MemoryLogRecordsArrowBuilder builder =
        statistics == null
            ? MemoryLogRecordsArrowBuilder.builder(0L, (byte) 0, 1, writer, out, changes == null)
            : MemoryLogRecordsArrowBuilder.builder(1, writer, out, changes == null, statistics);
    for (int i = 0; i < rows.length; i++) {
      builder.append(changes == null ? ChangeType.APPEND_ONLY : changes[i], rows[i]);
    }
    builder.close();
    return save(name, builder.build());
  }

  static byte[] write(String name, Schema schema, ChangeType[] changes, GenericRow... rows) throws Exception {
    return write(name, schema, changes, ArrowCompressionInfo.NO_COMPRESSION, null, rows);
  }

  static void project(String name, Schema schema, byte[] batch, int... positions) throws Exception {
    File file = File.createTempFile("batch", ".log");
    Files.write(file.toPath(), batch);
    FileLogProjection projection = new FileLogProjection(new ProjectionPushdownCache());
    projection.setCurrentProjection(tables, getter(schema), ArrowCompressionInfo.NO_COMPRESSION, positions);
    StringBuilder suffix = new StringBuilder("_project");
    for (int position : positions) suffix.append('_').append(position);
    try (FileLogRecords records = FileLogRecords.open(file, false)) {
      save(name + suffix, projection.project(records.channel(), 0, batch.length, Integer.MAX_VALUE).getBytesView());
    }
    file.delete();
  }

  static byte[] save(String name, BytesView view) throws Exception {
    ByteBuf buffer = view.getByteBuf();
    byte[] bytes = new byte[buffer.readableBytes()];
    buffer.getBytes(buffer.readerIndex(), bytes);
    StringBuilder hex = new StringBuilder();
    for (byte b : bytes) hex.append(String.format("%02x", b));
    Files.writeString(Path.of(name + ".hex"), hex + "\n");
    return bytes;
  }

  static SchemaGetter getter(Schema schema) {
    return new SchemaGetter() {
      public Schema getSchema(int id) { return schema; }
      public CompletableFuture<SchemaInfo> getSchemaInfoAsync(int id) {
        return CompletableFuture.completedFuture(getLatestSchemaInfo());
      }
      public SchemaInfo getLatestSchemaInfo() { return new SchemaInfo(schema, 1); }
      public void release() {}
    };
  }
}
