package strom.flights;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.apache.fluss.client.Connection;
import org.apache.fluss.client.admin.Admin;
import org.apache.fluss.client.admin.OffsetSpec;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.scanner.ScanRecord;
import org.apache.fluss.client.table.scanner.batch.BatchScanner;
import org.apache.fluss.client.table.scanner.log.LogScanner;
import org.apache.fluss.metadata.PartitionInfo;
import org.apache.fluss.metadata.TableBucket;
import org.apache.fluss.metadata.TablePath;
import org.apache.fluss.row.InternalRow;

/** Reads the table whole, by projection, by commit time and by limit; compares every value with the source. */
final class Verifier {
    /** One bucket of the partition of a month. */
    record Place(int month, int bucket) {}

    private static final int SINCE_MONTH = 7;
    private static final int LIMIT = 10;

    private final Admin admin;
    private final Table table;
    private final TablePath path;
    private final Source source;
    private final Map<Integer, Long> partitions = new TreeMap<>();
    private final Map<Long, Integer> months = new HashMap<>();
    private final Map<Integer, TreeSet<String>> carriers = new TreeMap<>();

    Verifier(Connection connection, Table table, TablePath path, Source source) throws Exception {
        this.admin = connection.getAdmin();
        this.table = table;
        this.path = path;
        this.source = source;
        for (PartitionInfo info : admin.listPartitionInfos(path).get(30, TimeUnit.SECONDS)) {
            int month = Integer.parseInt(info.getPartitionName());
            partitions.put(month, info.getPartitionId());
            months.put(info.getPartitionId(), month);
        }
    }

    /** Learns which carriers are in which bucket; the later cases expect nothing else there. */
    void buckets(Transcript out) throws Exception {
        Map<Integer, Integer> rows = new TreeMap<>();
        read(Layout.columns("carrier"), zeros(), ends(), (place, record) -> {
            carriers.computeIfAbsent(place.bucket(), b -> new TreeSet<>()).add(record.getRow().getString(0).toString());
            rows.merge(place.bucket(), 1, Integer::sum);
        });
        carriers.forEach((bucket, names) ->
                out.line("bucket %d: %s: %d rows", bucket, String.join(", ", names), rows.get(bucket)));
        List<String> all = carriers.values().stream().flatMap(TreeSet::stream).toList();
        out.line("carriers %d, each in one bucket: %s", all.size(), all.size() == all.stream().distinct().count());
    }

    void whole(Transcript out) throws Exception {
        compare(out, "whole", Layout.allColumns(), zeros(), row -> true);
    }

    void projection(Transcript out) throws Exception {
        compare(out, "time_hour, carrier, arr_delay, tailnum",
                Layout.columns("time_hour", "carrier", "arr_delay", "tailnum"), zeros(), row -> true);
    }

    /** Everything since a month was written, and since the second part of that month. */
    void byCommitTime(Transcript out) throws Exception {
        long[] first = {Long.MAX_VALUE, Long.MAX_VALUE};
        Map<Place, Long> ends = ends();
        ends.keySet().removeIf(place -> place.month() != SINCE_MONTH);
        read(Layout.columns("day"), zeros(), ends, (place, record) -> {
            first[0] = Math.min(first[0], record.timestamp());
            if (record.getRow().getInt(0) > Source.FIRST_PART_DAYS) {
                first[1] = Math.min(first[1], record.timestamp());
            }
        });
        compare(out, "since month " + SINCE_MONTH, Layout.allColumns(), offsets(new OffsetSpec.TimestampSpec(first[0])),
                row -> (int) row[Layout.MONTH] >= SINCE_MONTH);
        compare(out, "since day " + (Source.FIRST_PART_DAYS + 1) + " of month " + SINCE_MONTH, Layout.allColumns(),
                offsets(new OffsetSpec.TimestampSpec(first[1])),
                row -> (int) row[Layout.MONTH] > SINCE_MONTH
                        || (int) row[Layout.MONTH] == SINCE_MONTH && (int) row[Layout.DAY] > Source.FIRST_PART_DAYS);
    }

    /** The last rows of each bucket. */
    void byLimit(Transcript out) throws Exception {
        int rows = 0;
        boolean equal = true;
        for (Place place : zeros().keySet()) {
            List<Object[]> expected = source.rows(place.month(), row -> carries(place, row));
            expected = expected.subList(Math.max(0, expected.size() - LIMIT), expected.size());
            List<Object[]> found = limited(place);
            rows += found.size();
            equal &= found.size() == expected.size();
            for (int i = 0; equal && i < found.size(); i++) {
                equal = Arrays.equals(found.get(i), expected.get(i));
            }
        }
        out.line("the last %d of each bucket: rows %d", LIMIT, rows);
        out.equal(equal);
    }

    private List<Object[]> limited(Place place) throws Exception {
        TableBucket bucket =
                new TableBucket(table.getTableInfo().getTableId(), partitions.get(place.month()), place.bucket());
        List<Object[]> rows = new ArrayList<>();
        try (BatchScanner scanner = table.newScan().limit(LIMIT).createBatchScanner(bucket)) {
            for (var batch = scanner.pollBatch(Duration.ofSeconds(10)); batch != null;
                    batch = scanner.pollBatch(Duration.ofSeconds(10))) {
                while (batch.hasNext()) {
                    rows.add(values(batch.next(), Layout.allColumns()));
                }
                batch.close();
            }
        }
        return rows;
    }

    /** Reads from the offsets to the ends and compares row by row with what the source has for each bucket. */
    private void compare(Transcript out, String what, int[] columns, Map<Place, Long> starts, Predicate<Object[]> keep)
            throws Exception {
        Map<Place, Deque<Object[]>> expected = new HashMap<>();
        for (Place place : starts.keySet()) {
            expected.put(place, new ArrayDeque<>(source.rows(place.month(), row -> carries(place, row) && keep.test(row))));
        }
        int[] counts = new int[2];
        read(columns, starts, ends(), (place, record) -> {
            counts[0]++;
            Object[] wanted = expected.get(place).poll();
            if (wanted == null || !matches(record.getRow(), columns, wanted)) {
                counts[1]++;
            }
        });
        out.line("%s: rows %d", what, counts[0]);
        out.equal(counts[1] == 0 && expected.values().stream().allMatch(Deque::isEmpty));
    }

    private static boolean matches(InternalRow row, int[] columns, Object[] wanted) {
        for (int i = 0; i < columns.length; i++) {
            if (!Objects.equals(Layout.value(row, i, columns[i]), wanted[columns[i]])) {
                return false;
            }
        }
        return true;
    }

    private static Object[] values(InternalRow row, int[] columns) {
        Object[] values = new Object[columns.length];
        for (int i = 0; i < columns.length; i++) {
            values[i] = Layout.value(row, i, columns[i]);
        }
        return values;
    }

    private boolean carries(Place place, Object[] row) {
        return carriers.getOrDefault(place.bucket(), new TreeSet<>()).contains(row[Layout.CARRIER].toString());
    }

    private void read(int[] columns, Map<Place, Long> starts, Map<Place, Long> ends, BiConsumer<Place, ScanRecord> each)
            throws Exception {
        long open = 0;
        Map<Place, Long> next = new HashMap<>(starts);
        try (LogScanner scanner = table.newScan().project(columns).createLogScanner()) {
            for (Place place : ends.keySet()) {
                if (starts.get(place) < ends.get(place)) {
                    open += ends.get(place) - starts.get(place);
                    scanner.subscribe(partitions.get(place.month()), place.bucket(), starts.get(place));
                }
            }
            while (open > 0) {
                var records = scanner.poll(Duration.ofMillis(200));
                for (TableBucket bucket : records.buckets()) {
                    Place place = new Place(months.get(bucket.getPartitionId()), bucket.getBucket());
                    for (ScanRecord record : records.records(bucket)) {
                        if (record.logOffset() != next.get(place)) {
                            throw new IllegalStateException(
                                    place + ": expected offset " + next.get(place) + ", found " + record.logOffset());
                        }
                        next.merge(place, 1L, Long::sum);
                        each.accept(place, record);
                        open--;
                    }
                }
            }
        }
    }

    private Map<Place, Long> offsets(OffsetSpec spec) throws Exception {
        Map<Place, Long> offsets = new HashMap<>();
        List<Integer> buckets = List.of(0, 1, 2, 3);
        for (int month : partitions.keySet()) {
            admin.listOffsets(path, String.valueOf(month), buckets, spec).all().get(30, TimeUnit.SECONDS)
                    .forEach((bucket, offset) -> offsets.put(new Place(month, bucket), offset));
        }
        return offsets;
    }

    private Map<Place, Long> ends() throws Exception {
        return offsets(new OffsetSpec.LatestSpec());
    }

    private Map<Place, Long> zeros() {
        Map<Place, Long> zeros = new HashMap<>();
        for (int month : partitions.keySet()) {
            for (int bucket = 0; bucket < Layout.BUCKETS; bucket++) {
                zeros.put(new Place(month, bucket), 0L);
            }
        }
        return zeros;
    }
}
