package strom.compat;

import java.util.Map;
import java.util.TreeMap;
import org.apache.fluss.metadata.Schema;
import org.apache.fluss.metadata.TableDescriptor;
import org.apache.fluss.types.DataType;
import org.apache.fluss.types.DataTypes;

/** Tables that are refused, each with its error: names, columns, distribution, partitions, options, documents. */
final class Validation implements Suite {
    private static final String COLUMNS = "\"columns\":[{\"name\":\"id\",\"data_type\":{\"type\":\"INTEGER\"},\"id\":0}]";
    private static final String JSON =
            "{\"version\":1,\"schema\":{\"version\":1," + COLUMNS + ",\"highest_field_id\":0},"
                    + "\"partition_key\":[],\"bucket_key\":[],\"bucket_count\":1,\"properties\":{},\"custom_properties\":{}}";

    @Override
    public String name() {
        return "validation";
    }

    @Override
    public void define(Cases cases) {
        cases.run("names", this::names);
        cases.run("columns", this::columns);
        cases.run("distribution", this::distribution);
        cases.run("partition-keys", this::partitionKeys);
        cases.run("auto-partition", this::autoPartition);
        cases.run("options", this::options);
        cases.run("options-of-primary-key-tables", this::keyedOptions);
        cases.run("documents", this::documents);
        cases.run("order-of-checks", this::order);
    }

    private static void create(Case c, String label, TableDescriptor.Builder builder) {
        c.attempt(label, () -> {
            Case.get(c.admin().dropTable(c.path("t"), true));
            return c.admin().createTable(c.path("t"), builder.build(), false);
        });
    }

    private void names(Case c) throws Exception {
        String database = c.database();
        for (String name : new String[] {"", ".", "..", "a.b", "a b", "ä", "a/b", "__system", "x".repeat(201)}) {
            String label = name.length() > 20 ? name.length() + " characters" : "'" + name + "'";
            c.attempt("server " + label, () -> c.raw().createTable(database, name, JSON));
        }
        c.attempt("bad database", () -> c.raw().createTable("a.b", "t", JSON));
        c.attempt("200 characters", () -> c.raw().createTable(database, "x".repeat(200), JSON));
        c.attempt("client 'a.b'", () -> c.admin().createTable(c.path("a.b"), Rows.log(Rows.ID_NAME, 1).build(), false));
    }

    private void columns(Case c) {
        for (String system :
                new String[] {"__offset", "__timestamp", "__bucket", "_change_type", "_log_offset", "_commit_timestamp"}) {
            Schema schema = Schema.newBuilder().column("a", DataTypes.INT()).column(system, DataTypes.INT()).build();
            create(c, "system column " + system, Rows.log(schema, 1));
        }
        Schema odd = Schema.newBuilder().column("with space", DataTypes.INT()).column("ü.x", DataTypes.INT()).build();
        create(c, "odd column names", Rows.log(odd, 1));
        c.attempt("duplicate column", () -> Schema.newBuilder().column("a", DataTypes.INT()).column("a", DataTypes.INT()).build());
        create(c, "no columns", Rows.log(Schema.newBuilder().build(), 1));
    }

    private void distribution(Case c) {
        create(c, "max.bucket.num buckets of a partitioned table", keyed(2048, DataTypes.STRING()));
        create(c, "more than max.bucket.num", Rows.log(Rows.ID_NAME, 2049));
        create(c, "no buckets", Rows.log(Rows.ID_NAME, 0));
        create(c, "unknown bucket key", Rows.log(Rows.ID_NAME, 1, "nope"));
        create(c, "bucket key twice", Rows.log(Rows.ID_NAME, 1, "id", "id"));
        create(c, "array as bucket key", Rows.log(TypeRows.NESTED, 1, "ints"));
        create(c, "map as bucket key", Rows.log(TypeRows.NESTED, 1, "map"));
        create(c, "row as bucket key", Rows.log(TypeRows.NESTED, 1, "pair"));
        create(c, "replication factor 2 of 1 server", Rows.log(Rows.ID_NAME, 1).property("table.replication.factor", "2"));
        create(c, "replication factor 0", Rows.log(Rows.ID_NAME, 1).property("table.replication.factor", "0"));
        create(c, "replication factor -1", Rows.log(Rows.ID_NAME, 1).property("table.replication.factor", "-1"));
        create(c, "replication factor x", Rows.log(Rows.ID_NAME, 1).property("table.replication.factor", "x"));
        create(c, "partitioned, replication factor 2", keyed(1, DataTypes.STRING()).property("table.replication.factor", "2"));
    }

    private static TableDescriptor.Builder keyed(int buckets, DataType type) {
        Schema schema = Schema.newBuilder().column("id", DataTypes.INT()).column("p", type).build();
        return Rows.log(schema, buckets).partitionedBy("p");
    }

    private void partitionKeys(Case c) {
        DataType[] types = {
            DataTypes.BOOLEAN(), DataTypes.TINYINT(), DataTypes.SMALLINT(), DataTypes.INT(), DataTypes.BIGINT(),
            DataTypes.FLOAT(), DataTypes.DOUBLE(), DataTypes.CHAR(3), DataTypes.STRING(), DataTypes.BINARY(2),
            DataTypes.BYTES(), DataTypes.DECIMAL(5, 2), DataTypes.DATE(), DataTypes.TIME(3), DataTypes.TIMESTAMP(6),
            DataTypes.TIMESTAMP_LTZ(6), DataTypes.ARRAY(DataTypes.INT()), DataTypes.MAP(DataTypes.INT(), DataTypes.INT()),
            DataTypes.ROW(DataTypes.INT())
        };
        for (DataType type : types) {
            create(c, "partition key of type " + type.getTypeRoot(), keyed(1, type));
        }
        create(c, "unknown partition key", Rows.log(Rows.ID_NAME, 1).partitionedBy("nope"));
        create(c, "partition key twice", Rows.log(Rows.ID_NAME, 1).partitionedBy("name", "name"));
    }

    private void autoPartition(Case c) {
        TableDescriptor.Builder plain = Rows.log(Rows.ID_NAME, 1).property("table.auto-partition.enabled", "true");
        create(c, "not partitioned", plain);
        Map<String, String[]> one = new TreeMap<>();
        one.put("1 no unit", new String[] {"enabled", "true"});
        one.put("2 unknown unit", new String[] {"enabled", "true", "time-unit", "WEEK"});
        one.put("3 unknown zone", new String[] {"enabled", "true", "time-unit", "DAY", "time-zone", "Nowhere/Land"});
        one.put("4 off", new String[] {"enabled", "false"});
        one.put("5 negative retention", new String[] {"enabled", "true", "time-unit", "YEAR", "num-retention", "-1"});
        one.put("6 enabled maybe", new String[] {"enabled", "maybe"});
        one.forEach((label, settings) -> create(c, "one key: " + label.substring(2), auto(settings, "p")));
        Map<String, String[]> two = new TreeMap<>();
        two.put("1 no key", new String[] {"enabled", "true", "time-unit", "DAY"});
        two.put("2 key is no partition key", new String[] {"enabled", "true", "time-unit", "DAY", "key", "id"});
        two.put("3 precreate", new String[] {"enabled", "true", "time-unit", "DAY", "key", "p", "num-precreate", "1"});
        two.put("4 key", new String[] {"enabled", "true", "time-unit", "DAY", "key", "p"});
        two.forEach((label, settings) -> create(c, "two keys: " + label.substring(2), auto(settings, "p", "q")));
        Schema schema = Schema.newBuilder().column("id", DataTypes.INT()).column("p", DataTypes.INT()).build();
        create(c, "integer key", Rows.log(schema, 1).partitionedBy("p")
                .property("table.auto-partition.enabled", "true").property("table.auto-partition.time-unit", "YEAR"));
    }

    private static TableDescriptor.Builder auto(String[] settings, String... keys) {
        Schema schema =
                Schema.newBuilder()
                        .column("id", DataTypes.INT())
                        .column("p", DataTypes.STRING())
                        .column("q", DataTypes.STRING())
                        .build();
        TableDescriptor.Builder builder = Rows.log(schema, 1).partitionedBy(keys);
        for (int i = 0; i < settings.length; i += 2) {
            builder.property("table.auto-partition." + settings[i], settings[i + 1]);
        }
        return builder;
    }

    private void options(Case c) {
        String[][] settings = {
            {"table.unknown", "1"}, {"unknown", "1"}, {"client.id", "x"}, {"table.log.format", "PARQUET"},
            {"table.log.format", "indexed"}, {"table.log.ttl", "soon"}, {"table.log.ttl", "-1d"}, {"table.log.ttl", "1h"},
            {"table.log.tiered.local-segments", "0"}, {"table.log.tiered.local-segments", "-2"},
            {"table.log.tiered.local-segments", "1"}, {"table.log.arrow.compression.type", "GZIP"},
            {"table.log.arrow.compression.type", "none"}, {"table.log.arrow.compression.zstd.level", "0"},
            {"table.log.arrow.compression.zstd.level", "23"}, {"table.log.arrow.compression.zstd.level", "22"},
            {"table.log.arrow.compression.zstd.level", "high"}, {"table.kv.format", "ARROW"},
            {"table.merge-engine", "first_row"}, {"table.merge-engine", "bogus"}, {"table.delete.behavior", "ignore"},
            {"table.datalake.format", "paimon"}, {"table.datalake.format", "csv"}, {"table.datalake.freshness", "1 min"},
            {"table.datalake.enabled", "false"}, {"table.datalake.auto-compaction", "perhaps"}
        };
        for (String[] one : settings) {
            create(c, one[0] + "=" + one[1], Rows.log(Rows.ID_NAME, 1).property(one[0], one[1]));
        }
        create(c, "custom property table.x", Rows.log(Rows.ID_NAME, 1).customProperty("table.x", "1"));
        create(c, "custom property of a known name", Rows.log(Rows.ID_NAME, 1).customProperty("table.log.ttl", "soon"));
    }

    /** What must be refused before anything asks whether primary-key tables are served. */
    private void keyedOptions(Case c) {
        c.attempt("key column unknown", () -> Schema.newBuilder().column("a", DataTypes.INT()).primaryKey("b").build());
        Schema array = Schema.newBuilder().column("a", DataTypes.ARRAY(DataTypes.INT())).primaryKey("a").build();
        create(c, "array in primary key", Rows.log(array, 1));
        Schema id = Schema.newBuilder().column("a", DataTypes.INT()).column("b", DataTypes.INT()).primaryKey("a").build();
        create(c, "partition key outside primary key", Rows.log(id, 1).partitionedBy("b"));
        create(c, "bucket key outside primary key", Rows.log(id, 1, "b"));
        create(c, "unknown merge engine", Rows.log(id, 1).property("table.merge-engine", "bogus"));
    }

    private void documents(Case c) throws Exception {
        String database = c.database();
        String[][] documents = {
            {"empty", ""}, {"not JSON", "{"}, {"an array", "[]"}, {"an empty object", "{}"},
            {"no schema", "{\"version\":1,\"properties\":{}}"},
            {"unknown type", JSON.replace("INTEGER", "FLOAT128")},
            {"type missing", JSON.replace("\"type\":\"INTEGER\"", "\"kind\":\"INTEGER\"")},
            {"char of length 0", JSON.replace("\"INTEGER\"", "\"CHAR\",\"length\":0")},
            {"decimal scale over precision", JSON.replace("\"INTEGER\"", "\"DECIMAL\",\"precision\":5,\"scale\":6")},
            {"decimal of 39 digits", JSON.replace("\"INTEGER\"", "\"DECIMAL\",\"precision\":39,\"scale\":0")},
            {"timestamp of 10 digits", JSON.replace("\"INTEGER\"", "\"TIMESTAMP_WITHOUT_TIME_ZONE\",\"precision\":10")},
            {"unknown partition key", JSON.replace("\"partition_key\":[]", "\"partition_key\":[\"nope\"]")},
            {"unknown bucket key", JSON.replace("\"bucket_key\":[]", "\"bucket_key\":[\"nope\"]")},
            {"zero buckets", JSON.replace("\"bucket_count\":1", "\"bucket_count\":0")},
            {"negative buckets", JSON.replace("\"bucket_count\":1", "\"bucket_count\":-3")},
            {"duplicate column", JSON.replace("\"columns\":[", "\"columns\":[{\"name\":\"id\",\"data_type\":{\"type\":\"INTEGER\"},\"id\":1},")},
            {"unknown field", JSON.replace("\"bucket_count\":1", "\"bucket_count\":1,\"color\":\"red\"")},
        };
        for (int i = 0; i < documents.length; i++) {
            String[] one = documents[i];
            String table = "t" + i;
            c.attempt(one[0], () -> c.raw().createTable(database, table, one[1]));
        }
    }

    /** Which of two faults is reported. */
    private void order(Case c) throws Exception {
        String database = c.database();
        c.attempt("bad name before bad document", () -> c.raw().createTable(database, "a.b", "{"));
        c.attempt("bad document before missing database", () -> c.raw().createTable("never_there", "t", "{"));
        c.attempt("bad option before missing database",
                () -> c.raw().createTable("never_there", "t", JSON.replace("\"properties\":{}", "\"properties\":{\"table.x\":\"1\"}")));
        c.attempt("missing database", () -> c.raw().createTable("never_there", "t", JSON));
        Case.get(c.admin().createTable(c.path("t"), Rows.log(Rows.ID_NAME, 1).build(), false));
        c.attempt("bad option before existing table",
                () -> c.raw().createTable(database, "t", JSON.replace("\"properties\":{}", "\"properties\":{\"table.x\":\"1\"}")));
        c.attempt("replication before bad option", () -> c.raw().createTable(database, "t",
                JSON.replace("\"properties\":{}", "\"properties\":{\"table.x\":\"1\",\"table.replication.factor\":\"9\"}")));
        c.attempt("replication before existing table", () -> c.raw().createTable(database, "t",
                JSON.replace("\"properties\":{}", "\"properties\":{\"table.replication.factor\":\"9\"}")));
        c.attempt("existing table", () -> c.raw().createTable(database, "t", JSON));
    }
}
