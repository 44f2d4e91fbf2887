package strom.compat;

import java.util.List;
import java.util.stream.Collectors;
import org.apache.fluss.client.admin.Admin;
import org.apache.fluss.metadata.DatabaseDescriptor;
import org.apache.fluss.metadata.DatabaseInfo;
import org.apache.fluss.metadata.DatabaseSummary;
import org.apache.fluss.rpc.messages.CreateDatabaseRequest;

/** Databases: create, info, list, exists, drop, and the names that are refused. */
final class Databases implements Suite {
    private static final DatabaseDescriptor DESCRIBED =
            DatabaseDescriptor.builder()
                    .comment("a comment with \"quotes\" and é")
                    .customProperty("owner", "team a")
                    .customProperty("empty", "")
                    .build();

    @Override
    public String name() {
        return "databases";
    }

    @Override
    public void define(Cases cases) {
        cases.run("create-and-info", this::createAndInfo);
        cases.run("exists-and-list", this::existsAndList);
        cases.run("create-again", this::createAgain);
        cases.run("drop", this::drop);
        cases.run("names", this::names);
        cases.run("missing", this::missing);
        cases.run("default", this::defaultDatabase);
    }

    private void createAndInfo(Case c) throws Exception {
        String name = c.databaseName();
        long before = System.currentTimeMillis();
        Case.get(c.admin().dropDatabase(name, true, true));
        c.attempt("create", () -> c.admin().createDatabase(name, DESCRIBED, false));
        DatabaseInfo info = Case.get(c.admin().getDatabaseInfo(name));
        c.line("name %s", info.getDatabaseName());
        c.line("comment %s", info.getDatabaseDescriptor().getComment());
        c.line("properties %s", Text.sorted(info.getDatabaseDescriptor().getCustomProperties()));
        c.line("times recent %s", info.getCreatedTime() >= before - 60_000 && info.getModifiedTime() == info.getCreatedTime());
        Case.get(c.admin().dropDatabase(name, false, false));
        c.attempt("create empty", () -> c.admin().createDatabase(name, DatabaseDescriptor.EMPTY, false));
        DatabaseInfo empty = Case.get(c.admin().getDatabaseInfo(name));
        c.line("comment %s", empty.getDatabaseDescriptor().getComment());
        c.line("properties %s", Text.sorted(empty.getDatabaseDescriptor().getCustomProperties()));
        c.attempt("create without a description", () -> {
            CreateDatabaseRequest request = new CreateDatabaseRequest().setIgnoreIfExists(false);
            Case.get(c.raw().coordinator().createDatabase(request.setDatabaseName(name + "_bare")));
            return Case.get(c.admin().getDatabaseInfo(name + "_bare")).getDatabaseDescriptor().getComment();
        });
        Case.get(c.admin().dropDatabase(name + "_bare", true, true));
    }

    private void existsAndList(Case c) throws Exception {
        String name = c.database();
        c.attempt("exists", () -> c.admin().databaseExists(name));
        c.attempt("exists not", () -> c.admin().databaseExists(name + "_no"));
        c.attempt("listed", () -> Case.get(c.admin().listDatabases()).contains(name));
        c.attempt("default listed", () -> Case.get(c.admin().listDatabases()).contains("fluss"));
        c.create("a", Rows.log(Rows.ID_NAME, 1).build());
        c.create("b", Rows.log(Rows.ID_NAME, 1).build());
        List<DatabaseSummary> summaries = Case.get(c.admin().listDatabaseSummaries());
        for (DatabaseSummary summary : summaries) {
            if (summary.getDatabaseName().equals(name)) {
                c.line("summary tables %d created %s", summary.getTableCount(), summary.getCreatedTime() > 0);
            }
        }
        List<String> names = summaries.stream().map(DatabaseSummary::getDatabaseName).collect(Collectors.toList());
        c.line("summary of the default %s", names.contains("fluss"));
    }

    private void createAgain(Case c) throws Exception {
        String name = c.database();
        c.attempt("again", () -> c.admin().createDatabase(name, DESCRIBED, false));
        c.attempt("again, ignored", () -> c.admin().createDatabase(name, DESCRIBED, true));
        DatabaseInfo info = Case.get(c.admin().getDatabaseInfo(name));
        c.line("unchanged comment %s", info.getDatabaseDescriptor().getComment());
    }

    private void drop(Case c) throws Exception {
        String name = c.database();
        c.create("t", Rows.log(Rows.ID_NAME, 1).build());
        c.attempt("drop non-empty", () -> c.admin().dropDatabase(name, false, false));
        c.attempt("drop non-empty, ignore missing", () -> c.admin().dropDatabase(name, true, false));
        c.attempt("still there", () -> c.admin().databaseExists(name));
        c.attempt("drop cascade", () -> c.admin().dropDatabase(name, false, true));
        c.attempt("gone", () -> c.admin().databaseExists(name));
        c.attempt("its table", () -> c.admin().tableExists(org.apache.fluss.metadata.TablePath.of(name, "t")));
        c.attempt("drop again", () -> c.admin().dropDatabase(name, false, false));
        c.attempt("drop again, ignored", () -> c.admin().dropDatabase(name, true, false));
        c.attempt("create anew", () -> c.admin().createDatabase(name, DatabaseDescriptor.EMPTY, false));
        c.attempt("empty now", () -> c.admin().listTables(name));
    }

    private void names(Case c) {
        Admin admin = c.admin();
        String longest = "n".repeat(200);
        for (String name : List.of("", ".", "..", "a.b", "a b", "ä", "a/b", "__system", "x".repeat(201))) {
            String label = name.length() > 20 ? name.length() + " characters" : "'" + name + "'";
            c.attempt("client " + label, () -> admin.createDatabase(name, DatabaseDescriptor.EMPTY, false));
            c.attempt("server " + label, () -> {
                CreateDatabaseRequest request = new CreateDatabaseRequest().setIgnoreIfExists(false);
                Case.get(c.raw().coordinator().createDatabase(request.setDatabaseName(name)));
                return null;
            });
        }
        c.attempt("200 characters", () -> admin.createDatabase(longest, DatabaseDescriptor.EMPTY, true));
        c.attempt("drop it", () -> admin.dropDatabase(longest, false, false));
        c.attempt("hyphen, digits, capitals", () -> admin.createDatabase("0-aZ_9", DatabaseDescriptor.EMPTY, true));
        c.attempt("drop it", () -> admin.dropDatabase("0-aZ_9", false, false));
    }

    private void missing(Case c) {
        String name = c.databaseName() + "_never";
        c.attempt("info", () -> c.admin().getDatabaseInfo(name));
        c.attempt("tables", () -> c.admin().listTables(name));
        c.attempt("drop", () -> c.admin().dropDatabase(name, false, true));
    }

    /** Some servers let the default database go; it is put back, since clients count on it. */
    private void defaultDatabase(Case c) {
        c.attempt("info", () -> Case.get(c.admin().getDatabaseInfo("fluss")).getDatabaseName());
        c.attempt("create", () -> c.admin().createDatabase("fluss", DatabaseDescriptor.EMPTY, false));
        c.attempt("drop", () -> c.admin().dropDatabase("fluss", false, false));
        c.attempt("create if missing", () -> c.admin().createDatabase("fluss", DatabaseDescriptor.EMPTY, true));
        c.attempt("exists", () -> c.admin().databaseExists("fluss"));
    }
}
