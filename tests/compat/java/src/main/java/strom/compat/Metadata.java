package strom.compat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.fluss.cluster.ServerNode;
import org.apache.fluss.metadata.PartitionSpec;
import org.apache.fluss.metadata.TablePath;
import org.apache.fluss.rpc.messages.GetFileSystemSecurityTokenRequest;
import org.apache.fluss.rpc.messages.GetFileSystemSecurityTokenResponse;
import org.apache.fluss.rpc.messages.MetadataRequest;
import org.apache.fluss.rpc.messages.MetadataResponse;
import org.apache.fluss.rpc.messages.PbBucketMetadata;

/** GET_METADATA, the servers, the filesystem token, statistics and configuration. */
final class Metadata implements Suite {
    @Override
    public String name() {
        return "metadata";
    }

    @Override
    public void define(Cases cases) {
        cases.run("servers", this::servers);
        cases.run("table", this::table);
        cases.run("1024-buckets", this::manyBuckets);
        cases.run("partitions", this::partitions);
        cases.run("missing", this::missing);
        cases.run("filesystem-token", this::token);
        cases.run("table-stats", this::stats);
        cases.run("security-disabled", this::security);
        cases.run("no-snapshots", this::snapshots);
    }

    private void servers(Case c) throws Exception {
        int coordinators = 0;
        int tablets = 0;
        for (ServerNode node : Case.get(c.admin().getServerNodes())) {
            c.line("%s id %d", node.serverType(), node.id());
            coordinators += node.serverType().name().equals("COORDINATOR") ? 1 : 0;
            tablets += node.serverType().name().equals("TABLET_SERVER") ? 1 : 0;
        }
        c.line("coordinators %d tablet servers %d", coordinators, tablets);
        MetadataResponse response = Case.get(c.raw().tablet().metadata(new MetadataRequest()));
        c.line("empty request: coordinator %s tablet servers %d tables %d", response.hasCoordinatorServer(),
                response.getTabletServersCount(), response.getTableMetadatasCount());
    }

    private static void print(Case c, List<PbBucketMetadata> buckets) {
        Set<Integer> ids = new TreeSet<>();
        Set<String> leaders = new TreeSet<>();
        for (PbBucketMetadata bucket : buckets) {
            ids.add(bucket.getBucketId());
            leaders.add("leader " + bucket.getLeaderId() + " epoch " + bucket.getLeaderEpoch() + " replicas "
                    + java.util.Arrays.toString(bucket.getReplicaIds()));
        }
        boolean gapFree = ids.size() == buckets.size() && (ids.isEmpty() || ((TreeSet<Integer>) ids).last() == ids.size() - 1);
        c.line("buckets %d gap-free %s %s", buckets.size(), gapFree, leaders);
    }

    private void table(Case c) throws Exception {
        TablePath one = c.create("one", Rows.log(Rows.ID_NAME, 3).build());
        TablePath two = c.create("two", Rows.log(Rows.ID_NAME, 1).build());
        c.raw().settled(Raw.ask(one, two)).getTableMetadatasList().stream()
                .sorted(java.util.Comparator.comparing(t -> t.getTablePath().getTableName()))
                .forEach(t -> {
                    c.line("%s schema %d json %s created %s", t.getTablePath().getTableName(), t.getSchemaId(),
                            t.getTableJsonSize() > 0, t.getCreatedTime() > 0);
                    print(c, t.getBucketMetadatasList());
                });
    }

    private void manyBuckets(Case c) throws Exception {
        TablePath path = c.create("t", Rows.log(Rows.ID_NAME, 1024, "id").build());
        print(c, c.raw().settled(Raw.ask(path)).getTableMetadataAt(0).getBucketMetadatasList());
        var table = c.closing(c.connection().getTable(path));
        Rows.append(table, Rows.numbered(0, 20));
        Rows.print(c, Rows.readAll(table, 20));
        Case.get(c.admin().dropTable(path, false));
    }

    private void partitions(Case c) throws Exception {
        TablePath path = c.create("t", Rows.log(Rows.ID_NAME, 2).partitionedBy("name").build());
        Case.get(c.admin().createPartition(path, new PartitionSpec(java.util.Map.of("name", "p")), false));
        MetadataRequest request = Raw.ask(path);
        request.addPartitionsPath().setDatabaseName(path.getDatabaseName()).setTableName("t").setPartitionName("p");
        MetadataResponse response = c.raw().settled(request);
        print(c, response.getTableMetadataAt(0).getBucketMetadatasList());
        var partition = response.getPartitionMetadataAt(0);
        c.line("%s of the table %s", partition.getPartitionName(), partition.getTableId() == response.getTableMetadataAt(0).getTableId());
        print(c, partition.getBucketMetadatasList());
        MetadataRequest byId = Raw.ask(path);
        byId.addPartitionsId(partition.getPartitionId());
        c.attempt("by id", () -> c.raw().settled(byId).getPartitionMetadataAt(0).getPartitionName());
    }

    private void missing(Case c) throws Exception {
        TablePath path = c.create("t", Rows.log(Rows.ID_NAME, 2).partitionedBy("name").build());
        c.attempt("table", () -> Case.get(c.raw().tablet().metadata(Raw.ask(c.path("never")))).getTableMetadatasCount());
        c.attempt("database", () -> Case.get(c.raw().tablet().metadata(Raw.ask(TablePath.of("never_there", "t")))).getTableMetadatasCount());
        c.attempt("one of two", () -> Case.get(c.raw().tablet().metadata(Raw.ask(path, c.path("never")))).getTableMetadatasCount());
        MetadataRequest byName = Raw.ask(path);
        byName.addPartitionsPath().setDatabaseName(path.getDatabaseName()).setTableName("t").setPartitionName("never");
        c.attempt("partition", () -> Case.get(c.raw().tablet().metadata(byName)).getPartitionMetadatasCount());
        MetadataRequest byId = Raw.ask(path);
        byId.addPartitionsId(987654);
        c.attempt("partition id", () -> Case.get(c.raw().tablet().metadata(byId)).getPartitionMetadatasCount());
    }

    private void token(Case c) throws Exception {
        GetFileSystemSecurityTokenResponse token =
                Case.get(c.raw().tablet().getFileSystemSecurityToken(new GetFileSystemSecurityTokenRequest()));
        c.line("scheme %s token bytes %d expires %s infos %d", token.getSchema(), token.getTokenSize(),
                token.hasExpirationTime(), token.getAdditionInfosCount());
    }

    private void stats(Case c) throws Exception {
        var table = c.table("t", Rows.log(Rows.ID_NAME, 3, "id").build());
        TablePath path = table.getTableInfo().getTablePath();
        c.attempt("empty", () -> Case.get(c.admin().getTableStats(path)).getRowCount());
        Rows.append(table, Rows.numbered(0, 12));
        c.attempt("rows", () -> Case.get(c.admin().getTableStats(path)).getRowCount());
        c.attempt("no table", () -> Case.get(c.admin().getTableStats(c.path("never"))).getRowCount());
    }

    private void security(Case c) {
        c.attempt("list", () -> c.admin().listAcls(org.apache.fluss.security.acl.AclBindingFilter.ANY));
        c.attempt("create", () -> c.admin().createAcls(List.of()).all());
        c.attempt("drop", () -> c.admin().dropAcls(List.of(org.apache.fluss.security.acl.AclBindingFilter.ANY)).all());
    }

    private void snapshots(Case c) throws Exception {
        TablePath path = c.create("t", Rows.log(Rows.ID_NAME, 1).build());
        c.attempt("kv snapshots", () -> c.admin().getLatestKvSnapshots(path));
        c.attempt("lake snapshot", () -> c.admin().getLatestLakeSnapshot(path));
        c.attempt("kv snapshots of no table", () -> c.admin().getLatestKvSnapshots(c.path("never")));
    }
}
