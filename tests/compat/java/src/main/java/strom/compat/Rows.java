package strom.compat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.scanner.ScanRecord;
import org.apache.fluss.client.table.scanner.log.LogScanner;
import org.apache.fluss.client.table.scanner.log.ScanRecords;
import org.apache.fluss.client.table.writer.AppendWriter;
import org.apache.fluss.metadata.Schema;
import org.apache.fluss.metadata.TableBucket;
import org.apache.fluss.metadata.TableDescriptor;
import org.apache.fluss.row.BinaryString;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.row.InternalRow;
import org.apache.fluss.types.DataTypeRoot;
import org.apache.fluss.types.DataTypes;
import org.apache.fluss.types.RowType;

/** Writing and reading the rows of log tables. */
final class Rows {
    private static final long READ_DEADLINE_MS = 30_000;

    /** The schema of most cases: {@code id INT, name STRING}. */
    static final Schema ID_NAME =
            Schema.newBuilder().column("id", DataTypes.INT()).column("name", DataTypes.STRING()).build();

    private Rows() {}

    static TableDescriptor.Builder log(Schema schema, int buckets, String... bucketKeys) {
        return TableDescriptor.builder().schema(schema).distributedBy(buckets, bucketKeys);
    }

    static GenericRow row(Object... values) {
        Object[] internal = values.clone();
        for (int i = 0; i < internal.length; i++) {
            if (internal[i] instanceof String) {
                internal[i] = BinaryString.fromString((String) internal[i]);
            }
        }
        return GenericRow.of(internal);
    }

    /** Rows {@code (i, "row-i")} for i in [from, to). */
    static List<GenericRow> numbered(int from, int to) {
        List<GenericRow> rows = new ArrayList<>();
        for (int i = from; i < to; i++) {
            rows.add(row(i, "row-" + i));
        }
        return rows;
    }

    /** Appends the rows, sends them at once and waits until each is acknowledged. */
    static void append(Table table, List<? extends InternalRow> rows) throws Exception {
        AppendWriter writer = table.newAppend().createWriter();
        List<CompletableFuture<?>> pending = new ArrayList<>();
        for (InternalRow row : rows) {
            pending.add(writer.append(row));
        }
        writer.flush();
        for (CompletableFuture<?> one : pending) {
            Case.get(one);
        }
    }

    static void append(Table table, InternalRow... rows) throws Exception {
        append(table, List.of(rows));
    }

    /** A record as it was read. Rows are rendered at once: the next poll may reuse their memory. */
    static final class Read {
        final TableBucket bucket;
        final long offset;
        final long timestamp;
        final String change;
        final String row;
        /** The first column if it is an INT, else 0. */
        final int id;

        Read(TableBucket bucket, ScanRecord record, RowType type) {
            InternalRow fields = record.getRow();
            this.bucket = bucket;
            this.offset = record.logOffset();
            this.timestamp = record.timestamp();
            this.change = record.getChangeType().shortString();
            this.row = Text.row(fields, type);
            this.id = type.getTypeAt(0).is(DataTypeRoot.INTEGER) && !fields.isNullAt(0) ? fields.getInt(0) : 0;
        }
    }

    /** Polls until so many records have come, or for 30 seconds; ordered by partition, bucket and offset. */
    static List<Read> read(LogScanner scanner, int count, RowType type) {
        List<Read> reads = new ArrayList<>();
        long end = System.currentTimeMillis() + READ_DEADLINE_MS;
        while (reads.size() < count && System.currentTimeMillis() < end) {
            ScanRecords records = scanner.poll(Duration.ofMillis(500));
            for (TableBucket bucket : records.buckets()) {
                records.records(bucket).forEach(r -> reads.add(new Read(bucket, r, type)));
            }
        }
        Comparator<Read> order =
                Comparator.comparing(r -> r.bucket.getPartitionId() == null ? -1 : r.bucket.getPartitionId());
        reads.sort(order.thenComparing(r -> r.bucket.getBucket()).thenComparing(r -> r.offset));
        return reads;
    }

    /** Reads so many records of an unpartitioned table from the beginning. */
    static List<Read> readAll(Table table, int count) throws Exception {
        try (LogScanner scanner = table.newScan().createLogScanner()) {
            subscribeAll(scanner, table.getTableInfo().getNumBuckets());
            return read(scanner, count, table.getTableInfo().getRowType());
        }
    }

    static void subscribeAll(LogScanner scanner, int buckets) {
        for (int bucket = 0; bucket < buckets; bucket++) {
            scanner.subscribeFromBeginning(bucket);
        }
    }

    /** Prints the records as {@code bucket@offset changetype row}. */
    static void print(Case c, List<Read> reads) {
        reads.forEach(r -> c.line("%d@%d %s %s", r.bucket.getBucket(), r.offset, r.change, r.row));
    }

    /** Prints the rows without bucket and offset, sorted: for tables whose writers choose buckets at random. */
    static void printSorted(Case c, List<Read> reads) {
        reads.stream().map(r -> r.row).sorted().forEach(c::line);
    }
}
