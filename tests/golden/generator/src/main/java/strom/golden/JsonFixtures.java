package strom.golden;

import static org.apache.fluss.types.DataTypes.*;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.fluss.metadata.AggFunctions;
import org.apache.fluss.metadata.DatabaseDescriptor;
import org.apache.fluss.metadata.Schema;
import org.apache.fluss.metadata.TableDescriptor;

/** json: schema.txt, table_descriptor.txt, database_descriptor.txt; one document a line. */
final class JsonFixtures {
    private JsonFixtures() {}

    static void write(Path directory) throws Exception {
        Files.createDirectories(directory.resolve("json"));
        save(directory, "schema.txt", schemas().stream().map(schema -> Lines.text(schema.toJsonBytes())).toList());
        save(directory, "table_descriptor.txt", tables().stream().map(table -> Lines.text(table.toJsonBytes())).toList());
        save(directory, "database_descriptor.txt",
                databases().stream().map(database -> Lines.text(database.toJsonBytes())).toList());
    }

    private static void save(Path directory, String file, List<String> documents) throws Exception {
        Files.writeString(directory.resolve("json").resolve(file), String.join("\n", documents) + "\n");
    }

    private static List<Schema> schemas() {
        List<Schema> schemas = new ArrayList<>(Tables.all().stream().map(Tables::schema).toList());
        schemas.add(keyed());
        schemas.add(Schema.newBuilder().column("id", BIGINT()).column("total", BIGINT(), AggFunctions.SUM())
                .column("names", STRING(), AggFunctions.LISTAGG("; ")).column("last", INT(), AggFunctions.LAST_VALUE())
                .withComment("with \"quotes\", a \\ and é 😀").primaryKey("id").build());
        schemas.add(Schema.newBuilder().column("name", STRING()).column("number", BIGINT()).primaryKey("name")
                .enableAutoIncrement("number").build());
        // A column that came later: its id is above those of the nested fields.
        schemas.add(Schema.newBuilder().fromSchema(keyed()).column("later", ROW(FIELD("z", DATE()))).build());
        return schemas;
    }

    private static Schema keyed() {
        return Schema.newBuilder().column("a", INT()).column("b", STRING()).withComment("c").column("n",
                ROW(FIELD("x", DECIMAL(10, 2)), FIELD("y", ARRAY(TIMESTAMP_LTZ(3)), "described"))).primaryKey("a").build();
    }

    private static List<TableDescriptor> tables() {
        Schema log = Tables.scalars().schema();
        Schema events = Schema.newBuilder().column("day", STRING()).column("region", STRING()).column("id", BIGINT())
                .column("v", DOUBLE()).primaryKey("day", "region", "id").build();
        return List.of(
                TableDescriptor.builder().schema(keyed()).distributedBy(3, "a").property("table.log.ttl", "7d")
                        .customProperty("k", "v").comment("t").build(),
                TableDescriptor.builder().schema(log).build(),
                TableDescriptor.builder().schema(log).distributedBy(4).build(),
                TableDescriptor.builder().schema(log).distributedBy(16, "i", "s").comment("").properties(sorted(
                        "table.replication.factor", "1", "table.log.format", "INDEXED", "table.log.ttl", "1 d",
                        "table.datalake.freshness", "3min", "table.auto-partition.enabled", "false"))
                        .customProperties(sorted("owner", "é", "x.y", "", "zebra", "1")).build(),
                TableDescriptor.builder().schema(keyed()).build(),
                TableDescriptor.builder().schema(events).partitionedBy("day", "region").distributedBy(8).property(
                        "table.auto-partition.enabled", "true").build());
    }

    /** Alternates between keys and values. The order of Map.of differs from run to run. */
    private static Map<String, String> sorted(String... entries) {
        Map<String, String> map = new TreeMap<>();
        for (int i = 0; i < entries.length; i += 2) {
            map.put(entries[i], entries[i + 1]);
        }
        return map;
    }

    private static List<DatabaseDescriptor> databases() {
        return List.of(DatabaseDescriptor.EMPTY, DatabaseDescriptor.builder().comment("").build(),
                DatabaseDescriptor.builder().comment("a \"comment\" – 日本").customProperty("k", "v").build(),
                DatabaseDescriptor.builder().customProperties(sorted("a", "1", "b", "", "c d", "é")).build());
    }
}
