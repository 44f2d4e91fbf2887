package strom.compat;

import java.util.List;
import org.apache.fluss.metadata.DatabaseChange;
import org.apache.fluss.metadata.DatabaseDescriptor;
import org.apache.fluss.metadata.DatabaseInfo;

/** What only the client 1.0.0 can ask for: altering databases, the health of the cluster, remote manifests. */
final class AlterDatabase implements Suite {
    @Override
    public String name() {
        return "alter-database";
    }

    @Override
    public void define(Cases cases) {
        cases.run("alter", this::alter);
        cases.run("missing", this::missing);
        cases.run("cluster-health", c -> c.attempt("status", () -> Case.get(c.admin().getClusterHealth()).getStatus()));
        cases.run("remote-manifests", c -> c.attempt("count", () -> {
            var path = c.create("t", Rows.log(Rows.ID_NAME, 1).build());
            long id = Case.get(c.admin().getTableInfo(path)).getTableId();
            return Case.get(c.admin().listRemoteLogManifests(id, null)).size();
        }));
    }

    private void alter(Case c) throws Exception {
        String name = c.databaseName();
        Case.get(c.admin().dropDatabase(name, true, true));
        Case.get(c.admin().createDatabase(name, DatabaseDescriptor.builder().comment("old").customProperty("a", "1").build(), false));
        change(c, name, "comment", DatabaseChange.updateComment("new"));
        change(c, name, "set", DatabaseChange.set("b", "2"), DatabaseChange.set("a", "3"));
        change(c, name, "reset", DatabaseChange.reset("a"), DatabaseChange.reset("never"));
        change(c, name, "empty comment", DatabaseChange.updateComment(""));
        change(c, name, "nothing");
    }

    private static void change(Case c, String name, String label, DatabaseChange... changes) {
        c.attempt(label, () -> {
            Case.get(c.admin().alterDatabase(name, List.of(changes), false));
            DatabaseInfo info = Case.get(c.admin().getDatabaseInfo(name));
            return info.getDatabaseDescriptor().getComment() + " " + Text.sorted(info.getDatabaseDescriptor().getCustomProperties());
        });
    }

    private void missing(Case c) {
        String name = c.databaseName() + "_never";
        c.attempt("alter", () -> c.admin().alterDatabase(name, List.of(DatabaseChange.set("a", "1")), false));
        c.attempt("alter, ignored", () -> c.admin().alterDatabase(name, List.of(DatabaseChange.set("a", "1")), true));
    }
}
