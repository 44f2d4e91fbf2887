package strom.compat;

import java.util.List;
import org.apache.fluss.client.admin.Admin;
import org.apache.fluss.metadata.LogFormat;
import org.apache.fluss.metadata.Schema;
import org.apache.fluss.metadata.TableDescriptor;
import org.apache.fluss.metadata.TableInfo;
import org.apache.fluss.metadata.TablePath;
import org.apache.fluss.types.DataTypes;

/** Tables: create, what table info says of them, list, exists, drop. */
final class Tables implements Suite {
    @Override
    public String name() {
        return "tables";
    }

    @Override
    public void define(Cases cases) {
        cases.run("defaults", c -> describe(c, TableDescriptor.builder().schema(Rows.ID_NAME).build()));
        cases.run("everything-set", c -> describe(c, everything()));
        cases.run("all-types", c -> describe(c, Rows.log(TypeRows.FLAT, 2).build()));
        cases.run("nested-types", c -> describe(c, Rows.log(TypeRows.NESTED, 2).build()));
        cases.run("partitioned", c -> describe(c, partitioned(false).build()));
        cases.run("auto-partitioned-two-keys", c -> describe(c, partitioned(true).build()));
        cases.run("bucket-key-with-partition-key", this::bucketKeyInPartitionKey);
        cases.run("exists-and-list", this::existsAndList);
        cases.run("create-again", this::createAgain);
        cases.run("drop", this::drop);
        cases.run("drop-and-recreate-loses-data", this::recreate);
        cases.run("missing", this::missing);
        cases.run("primary-key-table", this::primaryKey);
        cases.run("lake-table", this::lake);
    }

    private static TableDescriptor everything() {
        Schema schema =
                Schema.newBuilder()
                        .column("id", DataTypes.INT().copy(false))
                        .withComment("the id")
                        .column("name", DataTypes.STRING())
                        .withComment("it's \"quoted\"")
                        .column("at", DataTypes.TIMESTAMP_LTZ(3))
                        .build();
        return TableDescriptor.builder()
                .schema(schema)
                .comment("a table with ünïcode")
                .distributedBy(5, "id", "name")
                .logFormat(LogFormat.INDEXED)
                .property("table.log.ttl", "3d")
                .property("table.log.tiered.local-segments", "4")
                .property("table.replication.factor", "1")
                .property("table.log.arrow.compression.type", "LZ4_FRAME")
                .customProperty("connector.owner", "me")
                .customProperty("empty", "")
                .build();
    }

    private static TableDescriptor.Builder partitioned(boolean auto) {
        Schema schema =
                Schema.newBuilder()
                        .column("id", DataTypes.INT())
                        .column("day", DataTypes.STRING())
                        .column("region", DataTypes.STRING())
                        .build();
        TableDescriptor.Builder builder =
                TableDescriptor.builder().schema(schema).distributedBy(3, "id").partitionedBy("region", "day");
        if (auto) {
            builder.property("table.auto-partition.enabled", "true")
                    .property("table.auto-partition.key", "day")
                    .property("table.auto-partition.time-unit", "DAY")
                    .property("table.auto-partition.time-zone", "UTC");
        }
        return builder;
    }

    private void describe(Case c, TableDescriptor descriptor) throws Exception {
        long before = System.currentTimeMillis();
        TablePath path = c.create("t", descriptor);
        TableInfo info = Case.get(c.admin().getTableInfo(path));
        print(c, info);
        c.line("times recent %s", info.getCreatedTime() >= before - 60_000 && info.getModifiedTime() >= info.getCreatedTime());
        c.line("id positive %s", info.getTableId() >= 0);
    }

    static void print(Case c, TableInfo info) {
        c.line("schema id %d", info.getSchemaId());
        for (Schema.Column column : info.getSchema().getColumns()) {
            c.line("column %d %s %s %s", column.getColumnId(), column.getName(), column.getDataType(), column.getComment());
        }
        c.line("buckets %d keys %s", info.getNumBuckets(), info.getBucketKeys());
        c.line("partition keys %s auto %s", info.getPartitionKeys(), info.isAutoPartitioned());
        c.line("primary keys %s", info.getPrimaryKeys());
        c.line("properties %s", Text.sorted(info.getProperties().toMap()));
        c.line("custom %s", Text.sorted(info.getCustomProperties().toMap()));
        c.line("comment %s", info.getComment());
    }

    private void bucketKeyInPartitionKey(Case c) {
        Schema schema = partitioned(false).build().getSchema();
        c.attempt("bucket key is the partition key", () -> {
            TableDescriptor.Builder builder = TableDescriptor.builder().schema(schema).distributedBy(3, "day");
            return c.admin().createTable(c.path("t"), builder.partitionedBy("day").build(), false);
        });
        c.attempt("keys", () -> Case.get(c.admin().getTableInfo(c.path("t"))).getBucketKeys());
    }

    private void existsAndList(Case c) throws Exception {
        c.attempt("none", () -> c.admin().listTables(c.database()));
        c.create("one", Rows.log(Rows.ID_NAME, 1).build());
        c.create("Two-2", Rows.log(Rows.ID_NAME, 1).build());
        c.create("a", Rows.log(Rows.ID_NAME, 1).build());
        c.attempt("list", () -> Case.get(c.admin().listTables(c.database())).stream().sorted().toList());
        c.attempt("exists", () -> c.admin().tableExists(c.path("Two-2")));
        c.attempt("case matters", () -> c.admin().tableExists(c.path("two-2")));
        c.attempt("in no database", () -> c.admin().tableExists(TablePath.of(c.database() + "_no", "a")));
    }

    private void createAgain(Case c) throws Exception {
        c.create("t", Rows.log(Rows.ID_NAME, 2).build());
        TableDescriptor other = Rows.log(TypeRows.FLAT, 7).comment("other").build();
        c.attempt("again", () -> c.admin().createTable(c.path("t"), other, false));
        c.attempt("again, ignored", () -> c.admin().createTable(c.path("t"), other, true));
        print(c, Case.get(c.admin().getTableInfo(c.path("t"))));
    }

    private void drop(Case c) throws Exception {
        TablePath path = c.create("t", Rows.log(Rows.ID_NAME, 2).build());
        c.attempt("drop", () -> c.admin().dropTable(path, false));
        c.attempt("exists", () -> c.admin().tableExists(path));
        c.attempt("list", () -> c.admin().listTables(c.database()));
        c.attempt("info", () -> c.admin().getTableInfo(path));
        c.attempt("schema", () -> c.admin().getTableSchema(path));
        c.attempt("drop again", () -> c.admin().dropTable(path, false));
        c.attempt("drop again, ignored", () -> c.admin().dropTable(path, true));
        c.attempt("create anew", () -> c.admin().createTable(path, Rows.log(Rows.ID_NAME, 3).build(), false));
        c.attempt("buckets", () -> Case.get(c.admin().getTableInfo(path)).getNumBuckets());
    }

    private void recreate(Case c) throws Exception {
        TablePath path = c.create("t", Rows.log(Rows.ID_NAME, 1).build());
        Rows.append(c.closing(c.connection().getTable(path)), Rows.numbered(0, 5));
        long first = Case.get(c.admin().getTableInfo(path)).getTableId();
        Case.get(c.admin().dropTable(path, false));
        Case.get(c.admin().createTable(path, Rows.log(Rows.ID_NAME, 1).build(), false));
        c.line("another id %s", Case.get(c.admin().getTableInfo(path)).getTableId() > first);
        // A connection of its own: the shared one still knows the first table.
        var table = c.closing(c.connect().getTable(path));
        Rows.append(table, Rows.numbered(100, 102));
        Rows.print(c, Rows.readAll(table, 2));
    }

    private void missing(Case c) throws Exception {
        TablePath path = c.path("never");
        TablePath nowhere = TablePath.of(c.database() + "_no", "t");
        TableDescriptor descriptor = Rows.log(Rows.ID_NAME, 1).build();
        Admin admin = c.admin();
        for (TablePath missing : List.of(path, nowhere)) {
            String label = missing.equals(path) ? "table" : "database";
            c.attempt(label + " info", () -> admin.getTableInfo(missing));
            c.attempt(label + " schema", () -> admin.getTableSchema(missing));
            c.attempt(label + " drop", () -> admin.dropTable(missing, false));
            c.attempt(label + " open", () -> c.connection().getTable(missing));
            c.attempt(label + " partitions", () -> admin.listPartitionInfos(missing));
        }
        c.attempt("create in no database", () -> admin.createTable(nowhere, descriptor, false));
        c.attempt("create in no database, ignoring", () -> admin.createTable(nowhere, descriptor, true));
    }

    private void primaryKey(Case c) {
        Schema schema =
                Schema.newBuilder().column("id", DataTypes.INT()).column("v", DataTypes.STRING()).primaryKey("id").build();
        c.attempt("create", () -> c.admin().createTable(c.path("t"), Rows.log(schema, 1).build(), false));
        c.attempt("exists", () -> c.admin().tableExists(c.path("t")));
    }

    private void lake(Case c) {
        TableDescriptor descriptor = Rows.log(Rows.ID_NAME, 1).property("table.datalake.enabled", "true").build();
        c.attempt("create", () -> c.admin().createTable(c.path("t"), descriptor, false));
        c.attempt("exists", () -> c.admin().tableExists(c.path("t")));
    }
}
