package strom.compat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.fluss.client.Connection;
import org.apache.fluss.client.FlussConnection;
import org.apache.fluss.metadata.TablePath;
import org.apache.fluss.rpc.gateway.AdminGateway;
import org.apache.fluss.rpc.gateway.TabletServerGateway;
import org.apache.fluss.rpc.messages.CreateTableRequest;
import org.apache.fluss.rpc.messages.FetchLogRequest;
import org.apache.fluss.rpc.messages.ListOffsetsRequest;
import org.apache.fluss.rpc.messages.MetadataRequest;
import org.apache.fluss.rpc.messages.MetadataResponse;
import org.apache.fluss.rpc.messages.PbBucketMetadata;
import org.apache.fluss.rpc.messages.PbFetchLogReqForTable;
import org.apache.fluss.rpc.messages.PbFetchLogRespForBucket;
import org.apache.fluss.rpc.messages.PbProduceLogRespForBucket;
import org.apache.fluss.rpc.messages.ProduceLogRequest;

/** Requests built by hand and sent through the client's own connection: what its API would never send. */
final class Raw {
    private static final int LENGTH = 8;
    private static final int CRC = 21;
    private static final int SCHEMA_ID = 25;
    private static final int WRITER_ID = 32;
    private static final int SEQUENCE = 40;
    private static final int RECORD_COUNT = 44;

    private final FlussConnection connection;

    Raw(Connection connection) {
        this.connection = (FlussConnection) connection;
    }

    TabletServerGateway tablet() {
        return connection.getMetadataUpdater().newRandomTabletServerClient();
    }

    AdminGateway coordinator() {
        return connection.getMetadataUpdater().newCoordinatorServerClient();
    }

    /** Creates a table from a name and JSON that the client would not accept. */
    Object createTable(String database, String table, String json) throws Exception {
        CreateTableRequest request = new CreateTableRequest().setTableJson(json.getBytes("UTF-8")).setIgnoreIfExists(false);
        request.setTablePath().setDatabaseName(database).setTableName(table);
        Case.get(coordinator().createTable(request));
        return null;
    }

    static MetadataRequest ask(TablePath... paths) {
        MetadataRequest request = new MetadataRequest();
        for (TablePath path : paths) {
            request.addTablePath().setDatabaseName(path.getDatabaseName()).setTableName(path.getTableName());
        }
        return request;
    }

    /** Asks for metadata until every bucket has a leader: a new table's buckets get theirs a moment later. */
    MetadataResponse settled(MetadataRequest request) throws Exception {
        for (int i = 0; ; i++) {
            MetadataResponse response = Case.get(tablet().metadata(request));
            boolean led =
                    response.getTableMetadatasList().stream().allMatch(t -> led(t.getBucketMetadatasList()))
                            && response.getPartitionMetadatasList().stream()
                                    .allMatch(p -> p.getBucketMetadatasCount() > 0 && led(p.getBucketMetadatasList()));
            if (led || i == 200) {
                return response;
            }
            Thread.sleep(50);
        }
    }

    /**
     * Waits until the server serves every bucket. Metadata may name the leader of a new bucket before that server knows
     * of it, and calls that don't retry would then fail by chance.
     */
    void awaitServing(long tableId, Long partitionId, int buckets) throws Exception {
        int[] ids = java.util.stream.IntStream.range(0, buckets).toArray();
        ListOffsetsRequest request =
                new ListOffsetsRequest().setFollowerServerId(-1).setOffsetType(1).setTableId(tableId).setBucketIds(ids);
        if (partitionId != null) {
            request.setPartitionId(partitionId);
        }
        for (int i = 0; i < 200; i++) {
            if (Case.get(tablet().listOffsets(request)).getBucketsRespsList().stream().noneMatch(b -> b.hasErrorCode())) {
                return;
            }
            Thread.sleep(50);
        }
    }

    private static boolean led(List<PbBucketMetadata> buckets) {
        return buckets.stream().allMatch(PbBucketMetadata::hasLeaderId);
    }

    /** A fetch of bucket 0; the caller may change it before it is sent. */
    static FetchLogRequest fetchRequest(long tableId, long offset, int maxBytes) {
        FetchLogRequest request = new FetchLogRequest().setFollowerServerId(-1).setMaxBytes(maxBytes);
        PbFetchLogReqForTable table = request.addTablesReq().setTableId(tableId).setProjectionPushdownEnabled(false);
        table.addBucketsReq().setBucketId(0).setFetchOffset(offset).setMaxFetchBytes(maxBytes);
        return request;
    }

    PbFetchLogRespForBucket fetch(FetchLogRequest request) throws Exception {
        return Case.get(tablet().fetchLog(request)).getTablesRespAt(0).getBucketsRespAt(0);
    }

    /** The bytes of one whole batch of bucket 0, as the server stores it. */
    byte[] batchAt(long tableId, long offset) throws Exception {
        byte[] records = fetch(fetchRequest(tableId, offset, 1 << 20)).getRecords();
        int size = little(records).getInt(LENGTH) + LENGTH + 4;
        return java.util.Arrays.copyOf(records, size);
    }

    /** Sends records to a bucket; returns {@code base N} or the bucket's error. */
    String produce(long tableId, int bucket, int acks, byte[] records) throws Exception {
        ProduceLogRequest request = new ProduceLogRequest().setAcks(acks).setTableId(tableId).setTimeoutMs(5000);
        request.addBucketsReq().setBucketId(bucket).setRecords(records);
        PbProduceLogRespForBucket response = Case.get(tablet().produceLog(request)).getBucketsRespAt(0);
        return response.hasErrorCode() ? Text.code(response.getErrorCode()) : "base " + response.getBaseOffset();
    }

    /** The batch as if this writer had sent it with this sequence number. */
    static byte[] asWriter(byte[] batch, long writerId, int sequence) {
        byte[] copy = batch.clone();
        little(copy).putLong(WRITER_ID, writerId).putInt(SEQUENCE, sequence);
        return sealed(copy);
    }

    static byte[] withSchema(byte[] batch, int schemaId) {
        byte[] copy = batch.clone();
        little(copy).putShort(SCHEMA_ID, (short) schemaId);
        return sealed(copy);
    }

    /** The batch with a bit of its last byte turned, so that its checksum is wrong. */
    static byte[] damaged(byte[] batch) {
        byte[] copy = batch.clone();
        copy[copy.length - 1] ^= 1;
        return copy;
    }

    static int recordCount(byte[] batch) {
        return little(batch).getInt(RECORD_COUNT);
    }

    static long baseOffset(byte[] batch) {
        return little(batch).getLong(0);
    }

    /** Counts whole batches; a fetched slice may end in the middle of one. */
    static int wholeBatches(byte[] records) {
        int count = 0;
        for (int at = 0; at + LENGTH + 4 <= records.length; count++) {
            at += little(records).getInt(at + LENGTH) + LENGTH + 4;
            if (at > records.length) {
                break;
            }
        }
        return count;
    }

    private static byte[] sealed(byte[] batch) {
        CRC32C crc = new CRC32C();
        crc.update(batch, SCHEMA_ID, batch.length - SCHEMA_ID);
        little(batch).putInt(CRC, (int) crc.getValue());
        return batch;
    }

    private static ByteBuffer little(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
