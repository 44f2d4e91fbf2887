package strom.compat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.scanner.log.LogScanner;
import org.apache.fluss.metadata.PartitionInfo;
import org.apache.fluss.metadata.PartitionSpec;
import org.apache.fluss.metadata.Schema;
import org.apache.fluss.metadata.TableDescriptor;
import org.apache.fluss.metadata.TablePath;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.row.TimestampLtz;
import org.apache.fluss.row.TimestampNtz;
import org.apache.fluss.types.DataType;
import org.apache.fluss.types.DataTypes;

/** Partitions: created by hand and by writers, listed by partial spec, dropped, limited, refused. */
final class Partitions implements Suite {
    private static final Schema TWO_KEYS =
            Schema.newBuilder()
                    .column("id", DataTypes.INT())
                    .column("year", DataTypes.INT())
                    .column("region", DataTypes.STRING())
                    .build();

    @Override
    public String name() {
        return "partitions";
    }

    @Override
    public void define(Cases cases) {
        cases.run("create-list-drop", this::createListDrop);
        cases.run("partial-spec", this::partialSpec);
        cases.run("refused-specs", this::refusedSpecs);
        cases.run("not-partitioned", this::notPartitioned);
        cases.run("too-many-partitions", this::tooMany);
        cases.run("too-many-buckets", this::tooManyBuckets);
        cases.run("write-and-read", this::writeAndRead);
        cases.run("created-by-the-writer", this::dynamic);
        cases.run("writer-without-creation", this::withoutCreation);
        cases.run("drop-loses-data", this::dropLosesData);
        cases.run("created-by-time", this::byTime);
        cases.run("names-of-every-type", this::namesOfTypes);
    }

    private static TableDescriptor twoKeys(int buckets) {
        return Rows.log(TWO_KEYS, buckets).partitionedBy("region", "year").build();
    }

    private static PartitionSpec spec(String... pairs) {
        Map<String, String> map = new java.util.LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put(pairs[i], pairs[i + 1]);
        }
        return new PartitionSpec(map);
    }

    private static void create(Case c, TablePath path, String label, String... pairs) {
        c.attempt(label, () -> c.admin().createPartition(path, spec(pairs), false));
    }

    private static List<String> names(List<PartitionInfo> infos) {
        return infos.stream().map(PartitionInfo::getPartitionName).sorted().toList();
    }

    private static void list(Case c, TablePath path) {
        c.attempt("partitions", () -> names(Case.get(c.admin().listPartitionInfos(path))));
    }

    private void createListDrop(Case c) throws Exception {
        TablePath path = c.create("t", twoKeys(2));
        list(c, path);
        create(c, path, "create", "region", "eu", "year", "2024");
        create(c, path, "keys in the other order", "year", "2025", "region", "eu");
        create(c, path, "again", "region", "eu", "year", "2024");
        c.attempt("again, ignored", () -> c.admin().createPartition(path, spec("region", "eu", "year", "2024"), true));
        list(c, path);
        List<PartitionInfo> infos = Case.get(c.admin().listPartitionInfos(path));
        for (String wanted : names(infos)) {
            PartitionInfo info = infos.stream().filter(i -> i.getPartitionName().equals(wanted)).findFirst().get();
            c.line("%s: %s spec %s id %s", wanted, info.getResolvedPartitionSpec().getPartitionQualifiedName(),
                    Text.sorted(info.getPartitionSpec().getSpecMap()), info.getPartitionId() >= 0);
        }
        c.attempt("drop", () -> c.admin().dropPartition(path, spec("region", "eu", "year", "2024"), false));
        list(c, path);
        c.attempt("drop again", () -> c.admin().dropPartition(path, spec("region", "eu", "year", "2024"), false));
        c.attempt("drop again, ignored", () -> c.admin().dropPartition(path, spec("region", "eu", "year", "2024"), true));
        create(c, path, "create anew", "region", "eu", "year", "2024");
        list(c, path);
    }

    private void partialSpec(Case c) throws Exception {
        TablePath path = c.create("t", twoKeys(1));
        for (String region : List.of("eu", "us")) {
            for (String year : List.of("2023", "2024")) {
                Case.get(c.admin().createPartition(path, spec("region", region, "year", year), false));
            }
        }
        String[][] filters = {{"region", "eu"}, {"year", "2024"}, {"region", "us", "year", "2023"}, {"region", "asia"}};
        for (String[] filter : filters) {
            c.attempt(String.join(" ", filter), () -> names(Case.get(c.admin().listPartitionInfos(path, spec(filter)))));
        }
        c.attempt("no keys", () -> names(Case.get(c.admin().listPartitionInfos(path, spec()))));
        c.attempt("unknown key", () -> names(Case.get(c.admin().listPartitionInfos(path, spec("month", "1")))));
        c.attempt("known and unknown key",
                () -> names(Case.get(c.admin().listPartitionInfos(path, spec("region", "eu", "month", "1")))));
    }

    private void refusedSpecs(Case c) throws Exception {
        TablePath path = c.create("t", twoKeys(1));
        create(c, path, "a key too few", "region", "eu");
        create(c, path, "a key too many", "region", "eu", "year", "2024", "month", "1");
        create(c, path, "another key", "region", "eu", "month", "1");
        create(c, path, "empty spec");
        for (String value : new String[] {"", ".", "..", "a b", "a/b", "a$b", "ä", "__x", "x".repeat(201)}) {
            String label = value.length() > 20 ? value.length() + " characters" : "'" + value + "'";
            create(c, path, "value " + label, "region", value, "year", "2024");
        }
        create(c, path, "value that is no number", "region", "eu", "year", "soon");
        create(c, path, "value with hyphen", "region", "a-b_C", "year", "2024");
        c.attempt("drop, a key too few", () -> c.admin().dropPartition(path, spec("region", "eu"), true));
        c.attempt("drop, bad value", () -> c.admin().dropPartition(path, spec("region", "a b", "year", "1"), true));
        c.attempt("drop, reserved value", () -> c.admin().dropPartition(path, spec("region", "__x", "year", "1"), true));
        list(c, path);
    }

    private void notPartitioned(Case c) throws Exception {
        TablePath path = c.create("t", Rows.log(Rows.ID_NAME, 1).build());
        create(c, path, "create", "id", "1");
        c.attempt("drop", () -> c.admin().dropPartition(path, spec("id", "1"), true));
        list(c, path);
        create(c, c.path("never"), "create, no table", "id", "1");
        c.attempt("drop, no table", () -> c.admin().dropPartition(c.path("never"), spec("id", "1"), true));
    }

    /** The servers run with max.partition.num=12. */
    private void tooMany(Case c) throws Exception {
        TablePath path = c.create("t", twoKeys(1));
        for (int year = 2000; year < 2012; year++) {
            Case.get(c.admin().createPartition(path, spec("region", "eu", "year", "" + year), false));
        }
        create(c, path, "thirteenth", "region", "eu", "year", "2012");
        c.attempt("existing, ignored", () -> c.admin().createPartition(path, spec("region", "eu", "year", "2000"), true));
        c.attempt("drop one", () -> c.admin().dropPartition(path, spec("region", "eu", "year", "2000"), false));
        create(c, path, "room again", "region", "eu", "year", "2012");
        c.attempt("count", () -> Case.get(c.admin().listPartitionInfos(path)).size());
    }

    /** The servers run with max.bucket.num=2048. */
    private void tooManyBuckets(Case c) throws Exception {
        TablePath path = c.create("t", twoKeys(1100));
        create(c, path, "first", "region", "eu", "year", "2000");
        create(c, path, "second", "region", "eu", "year", "2001");
        list(c, path);
        Case.get(c.admin().dropTable(path, false));
    }

    private static LogScanner subscribe(Case c, Table table) throws Exception {
        LogScanner scanner = c.closing(table.newScan().createLogScanner());
        for (PartitionInfo info : Case.get(c.admin().listPartitionInfos(table.getTableInfo().getTablePath()))) {
            c.raw().awaitServing(table.getTableInfo().getTableId(), info.getPartitionId(), table.getTableInfo().getNumBuckets());
            for (int bucket = 0; bucket < table.getTableInfo().getNumBuckets(); bucket++) {
                scanner.subscribeFromBeginning(info.getPartitionId(), bucket);
            }
        }
        return scanner;
    }

    private void writeAndRead(Case c) throws Exception {
        Table table = c.table("t", Rows.log(TWO_KEYS, 2, "id").partitionedBy("region", "year").build());
        TablePath path = table.getTableInfo().getTablePath();
        create(c, path, "create", "region", "eu", "year", "2024");
        create(c, path, "create", "region", "us", "year", "2024");
        List<GenericRow> rows = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            rows.add(Rows.row(i, 2024, i % 2 == 0 ? "eu" : "us"));
        }
        Rows.append(table, rows);
        Rows.print(c, Rows.read(subscribe(c, table), 8, TWO_KEYS.getRowType()));
        c.attempt("offsets", () -> Text.sorted(offsets(c, path, "eu$2024")));
        c.attempt("offsets of no partition", () -> Text.sorted(offsets(c, path, "asia$2024")));
    }

    private static Map<String, String> offsets(Case c, TablePath path, String partition) throws Exception {
        Map<String, String> result = new java.util.TreeMap<>();
        var latest = new org.apache.fluss.client.admin.OffsetSpec.LatestSpec();
        Case.get(c.admin().listOffsets(path, partition, List.of(0, 1), latest).all())
                .forEach((bucket, offset) -> result.put("" + bucket, "" + offset));
        return result;
    }

    private void dynamic(Case c) throws Exception {
        Table table = c.table("t", Rows.log(TWO_KEYS, 1).partitionedBy("region", "year").build());
        TablePath path = table.getTableInfo().getTablePath();
        Rows.append(table, Rows.row(1, 2020, "eu"), Rows.row(2, 2021, "eu"), Rows.row(3, 2020, "us"), Rows.row(4, 2020, "eu"));
        list(c, path);
        Rows.printSorted(c, Rows.read(subscribe(c, table), 4, TWO_KEYS.getRowType()));
        c.attempt("null key", () -> {
            Rows.append(table, Rows.row(5, null, "eu"));
            return null;
        });
    }

    private void withoutCreation(Case c) throws Exception {
        var connection = c.connect("client.writer.dynamic-create-partition.enabled", "false");
        TablePath path = c.create("t", twoKeys(1));
        Table table = c.closing(connection.getTable(path));
        c.attempt("append", () -> {
            Rows.append(table, Rows.row(1, 2020, "eu"));
            return null;
        });
        list(c, path);
    }

    private void dropLosesData(Case c) throws Exception {
        Table table = c.table("t", twoKeys(1));
        TablePath path = table.getTableInfo().getTablePath();
        Rows.append(table, Rows.row(1, 2020, "eu"), Rows.row(2, 2021, "eu"));
        c.attempt("drop", () -> c.admin().dropPartition(path, spec("region", "eu", "year", "2020"), false));
        create(c, path, "create anew", "region", "eu", "year", "2020");
        Table again = c.closing(c.connect().getTable(path));
        Rows.append(again, Rows.row(3, 2020, "eu"));
        Rows.printSorted(c, Rows.read(subscribe(c, again), 2, TWO_KEYS.getRowType()));
    }

    /** Auto-partitioning by year: this year's partition and the next one's come by themselves. */
    private void byTime(Case c) throws Exception {
        TablePath path = c.create("t", Rows.log(Rows.ID_NAME, 1).partitionedBy("name")
                .property("table.auto-partition.enabled", "true").property("table.auto-partition.time-unit", "YEAR")
                .property("table.auto-partition.time-zone", "UTC").build());
        int year = java.time.LocalDate.now(java.time.ZoneOffset.UTC).getYear();
        List<String> wanted = List.of("" + year, "" + (year + 1));
        List<String> found = List.of();
        for (int i = 0; i < 200 && !found.equals(wanted); i++) {
            found = names(Case.get(c.admin().listPartitionInfos(path)));
            Thread.sleep(50);
        }
        c.line("this year and the next %s", found.equals(wanted));
        create(c, path, "a year long gone", "name", "1999");
        create(c, path, "no year", "name", "20x");
        create(c, path, "a later year", "name", "" + (year + 5));
    }

    /** The client turns values into partition names; the server must take every such name and give it back. */
    private void namesOfTypes(Case c) {
        Object[][] keys = {
            {DataTypes.BOOLEAN(), true}, {DataTypes.TINYINT(), (byte) -3}, {DataTypes.SMALLINT(), (short) 12},
            {DataTypes.INT(), -7}, {DataTypes.BIGINT(), Long.MAX_VALUE}, {DataTypes.FLOAT(), 1.5f},
            {DataTypes.DOUBLE(), -0.25}, {DataTypes.CHAR(3), "abc"}, {DataTypes.STRING(), "x-1"},
            {DataTypes.BINARY(2), new byte[] {1, (byte) 0xAB}}, {DataTypes.BYTES(), new byte[] {(byte) 0xFF}},
            {DataTypes.DATE(), 19000}, {DataTypes.TIME(3), 45296789}, {DataTypes.TIMESTAMP(6), TimestampNtz.fromMillis(1700000000123L, 456000)},
            {DataTypes.TIMESTAMP_LTZ(9), TimestampLtz.fromEpochMillis(1L, 999999)}
        };
        for (Object[] key : keys) {
            DataType type = (DataType) key[0];
            c.attempt(type.toString(), () -> {
                Schema schema = Schema.newBuilder().column("id", DataTypes.INT()).column("p", type).build();
                Table table = c.table("t_" + type.getTypeRoot(), Rows.log(schema, 1).partitionedBy("p").build());
                Rows.append(table, Rows.row(1, key[1]));
                List<String> rows = new ArrayList<>();
                Rows.read(subscribe(c, table), 1, schema.getRowType()).forEach(r -> rows.add(r.row));
                return names(Case.get(c.admin().listPartitionInfos(table.getTableInfo().getTablePath()))) + " " + rows;
            });
        }
    }
}
