package strom.compat;

import java.util.List;
import org.apache.fluss.metadata.Schema;
import org.apache.fluss.metadata.SchemaInfo;
import org.apache.fluss.metadata.TableChange;
import org.apache.fluss.metadata.TableChange.ColumnPosition;
import org.apache.fluss.metadata.TableInfo;
import org.apache.fluss.metadata.TablePath;
import org.apache.fluss.types.DataTypes;

/** Altering tables: options set, reset and refused; columns added and refused; schemas by id. */
final class AlterTable implements Suite {
    @Override
    public String name() {
        return "alter-table";
    }

    @Override
    public void define(Cases cases) {
        cases.run("custom-properties", this::custom);
        cases.run("table-options", this::options);
        cases.run("refused-options", this::refused);
        cases.run("missing-table", this::missing);
        cases.run("add-column", this::addColumn);
        cases.run("refused-columns", this::refusedColumns);
        cases.run("schemas-by-id", this::schemas);
    }

    private static void alter(Case c, TablePath path, String label, TableChange... changes) {
        c.attempt(label, () -> c.admin().alterTable(path, List.of(changes), false));
    }

    private static void properties(Case c, TablePath path) throws Exception {
        TableInfo info = Case.get(c.admin().getTableInfo(path));
        c.line("properties %s custom %s", Text.sorted(info.getProperties().toMap()), Text.sorted(info.getCustomProperties().toMap()));
    }

    private void custom(Case c) throws Exception {
        TablePath path = c.create("t", Rows.log(Rows.ID_NAME, 1).customProperty("a", "1").build());
        TableInfo before = Case.get(c.admin().getTableInfo(path));
        alter(c, path, "set", TableChange.set("b", "2"), TableChange.set("a", "3"));
        properties(c, path);
        alter(c, path, "reset", TableChange.reset("a"), TableChange.set("d.e", ""));
        properties(c, path);
        alter(c, path, "reset what is not set", TableChange.reset("zzz"));
        alter(c, path, "set the same", TableChange.set("b", "2"));
        alter(c, path, "set and reset", TableChange.set("x", "1"), TableChange.reset("x"));
        alter(c, path, "set twice", TableChange.set("y", "1"), TableChange.set("y", "2"));
        alter(c, path, "nothing");
        properties(c, path);
        TableInfo after = Case.get(c.admin().getTableInfo(path));
        c.line("same id %s schema id %d created %s modified %s", before.getTableId() == after.getTableId(),
                after.getSchemaId(), before.getCreatedTime() == after.getCreatedTime(),
                after.getModifiedTime() >= before.getModifiedTime());
    }

    private void options(Case c) throws Exception {
        TablePath path = c.create("t", Rows.log(Rows.ID_NAME, 1).property("table.log.ttl", "2d").build());
        alter(c, path, "set local segments", TableChange.set("table.log.tiered.local-segments", "5"));
        properties(c, path);
        alter(c, path, "set ttl", TableChange.set("table.log.ttl", "4d"));
        alter(c, path, "set freshness", TableChange.set("table.datalake.freshness", "5 min"));
        properties(c, path);
        alter(c, path, "reset local segments", TableChange.reset("table.log.tiered.local-segments"));
        alter(c, path, "bad value", TableChange.set("table.log.tiered.local-segments", "0"));
        alter(c, path, "no number", TableChange.set("table.log.tiered.local-segments", "x"));
        alter(c, path, "good and bad together", TableChange.set("k", "v"), TableChange.set("table.log.tiered.local-segments", "0"));
        properties(c, path);
    }

    private void refused(Case c) throws Exception {
        TablePath path = c.create("t", Rows.log(Rows.ID_NAME, 1).build());
        String[][] settings = {
            {"table.replication.factor", "3"}, {"table.log.format", "INDEXED"}, {"table.unknown", "1"},
            {"table.log.arrow.compression.type", "NONE"}, {"table.kv.format", "INDEXED"}, {"table.merge-engine", "first_row"},
            {"table.datalake.enabled", "true"}, {"table.datalake.format", "paimon"}, {"table.delete.behavior", "ignore"},
            {"table.auto-partition.time-unit", "DAY"}
        };
        for (String[] one : settings) {
            alter(c, path, "set " + one[0], TableChange.set(one[0], one[1]));
            alter(c, path, "reset " + one[0], TableChange.reset(one[0]));
        }
        properties(c, path);
    }

    private void missing(Case c) throws Exception {
        TablePath path = c.path("never");
        alter(c, path, "set", TableChange.set("a", "1"));
        alter(c, path, "add column", TableChange.addColumn("x", DataTypes.INT(), null, ColumnPosition.last()));
        c.attempt("set, ignored", () -> c.admin().alterTable(path, List.of(TableChange.set("a", "1")), true));
        c.attempt("add column, ignored", () -> c.admin().alterTable(
                path, List.of(TableChange.addColumn("x", DataTypes.INT(), null, ColumnPosition.last())), true));
    }

    private void addColumn(Case c) throws Exception {
        TablePath path = c.create("t", Rows.log(Rows.ID_NAME, 1).build());
        var old = c.closing(c.connect().getTable(path));
        Rows.append(old, Rows.row(1, "before"));
        alter(c, path, "add", TableChange.addColumn("age", DataTypes.INT(), "in years", ColumnPosition.last()));
        Tables.print(c, Case.get(c.admin().getTableInfo(path)));
        var table = c.closing(c.connect().getTable(path));
        Rows.append(table, Rows.row(2, "after", 7), Rows.row(3, null, null));
        // A writer that still knows the old schema goes on.
        Rows.append(old, Rows.row(4, "old writer"));
        c.line("new reader");
        Rows.print(c, Rows.readAll(table, 4));
        c.line("old reader");
        Rows.print(c, Rows.readAll(old, 4));
        alter(c, path, "add two", TableChange.addColumn("x", DataTypes.ARRAY(DataTypes.INT()), null, ColumnPosition.last()),
                TableChange.addColumn("y", DataTypes.STRING(), "", ColumnPosition.last()));
        Tables.print(c, Case.get(c.admin().getTableInfo(path)));
    }

    private void refusedColumns(Case c) throws Exception {
        TablePath path = c.create("t", Rows.log(Rows.ID_NAME, 1).build());
        alter(c, path, "existing name", TableChange.addColumn("name", DataTypes.STRING(), null, ColumnPosition.last()));
        alter(c, path, "not null", TableChange.addColumn("x", DataTypes.INT().copy(false), null, ColumnPosition.last()));
        alter(c, path, "first", TableChange.addColumn("x", DataTypes.INT(), null, ColumnPosition.first()));
        alter(c, path, "after", TableChange.addColumn("x", DataTypes.INT(), null, ColumnPosition.after("id")));
        alter(c, path, "drop", TableChange.dropColumn("name"));
        alter(c, path, "rename", TableChange.renameColumn("name", "title"));
        alter(c, path, "modify", TableChange.modifyColumn("name", DataTypes.BYTES(), null, null));
        alter(c, path, "with an option", TableChange.set("a", "1"),
                TableChange.addColumn("x", DataTypes.INT(), null, ColumnPosition.last()));
        alter(c, path, "same name twice", TableChange.addColumn("x", DataTypes.INT(), null, ColumnPosition.last()),
                TableChange.addColumn("x", DataTypes.INT(), null, ColumnPosition.last()));
        Tables.print(c, Case.get(c.admin().getTableInfo(path)));
    }

    private void schemas(Case c) throws Exception {
        Schema schema =
                Schema.newBuilder()
                        .column("id", DataTypes.INT().copy(false))
                        .withComment("key")
                        .column("r", DataTypes.ROW(DataTypes.FIELD("x", DataTypes.INT()), DataTypes.FIELD("y", DataTypes.STRING(), "why")))
                        .build();
        TablePath path = c.create("t", Rows.log(schema, 1).build());
        alter(c, path, "add", TableChange.addColumn("n", DataTypes.ROW(DataTypes.INT()), "nested", ColumnPosition.last()));
        for (int id : new int[] {1, 2}) {
            SchemaInfo info = Case.get(c.admin().getTableSchema(path, id));
            c.line("schema %d %s", info.getSchemaId(), new String(info.getSchema().toJsonBytes(), "UTF-8"));
        }
        c.attempt("latest", () -> Case.get(c.admin().getTableSchema(path)).getSchemaId());
        for (int id : new int[] {3, 0, -1}) {
            c.attempt("schema " + id, () -> Case.get(c.admin().getTableSchema(path, id)).getSchemaId());
        }
    }
}
