package strom.flights;

import java.util.List;
import org.apache.fluss.metadata.Schema;
import org.apache.fluss.metadata.TableDescriptor;
import org.apache.fluss.row.InternalRow;
import org.apache.fluss.types.DataType;
import org.apache.fluss.types.DataTypes;

/** The table: the same columns, partitions and buckets as the Python programs use. */
final class Layout {
    enum Kind { INT, DOUBLE, STRING, TIME }

    static final int BUCKETS = 4;
    static final List<String> NAMES = List.of(
            "year", "month", "day", "dep_time", "sched_dep_time", "dep_delay", "arr_time", "sched_arr_time",
            "arr_delay", "carrier", "flight", "tailnum", "origin", "dest", "air_time", "distance", "hour", "minute",
            "time_hour");
    static final Kind[] KINDS = {
        Kind.INT, Kind.INT, Kind.INT, Kind.INT, Kind.INT, Kind.DOUBLE, Kind.INT, Kind.INT,
        Kind.DOUBLE, Kind.STRING, Kind.INT, Kind.STRING, Kind.STRING, Kind.STRING, Kind.DOUBLE, Kind.DOUBLE, Kind.INT,
        Kind.INT, Kind.TIME
    };
    static final int MONTH = NAMES.indexOf("month");
    static final int DAY = NAMES.indexOf("day");
    static final int CARRIER = NAMES.indexOf("carrier");

    private Layout() {}

    static TableDescriptor descriptor() {
        Schema.Builder schema = Schema.newBuilder();
        for (int i = 0; i < KINDS.length; i++) {
            schema.column(NAMES.get(i), type(KINDS[i]).copy(i != MONTH && i != CARRIER));
        }
        return TableDescriptor.builder()
                .schema(schema.build())
                .partitionedBy("month")
                .distributedBy(BUCKETS, "carrier")
                .comment("flights that left New York City in 2013")
                .build();
    }

    private static DataType type(Kind kind) {
        return switch (kind) {
            case INT -> DataTypes.INT();
            case DOUBLE -> DataTypes.DOUBLE();
            case STRING -> DataTypes.STRING();
            case TIME -> DataTypes.TIMESTAMP_LTZ(3);
        };
    }

    static int[] columns(String... names) {
        int[] columns = new int[names.length];
        for (int i = 0; i < names.length; i++) {
            columns[i] = NAMES.indexOf(names[i]);
        }
        return columns;
    }

    static int[] allColumns() {
        return columns(NAMES.toArray(new String[0]));
    }

    /** The value of a table column that stands at a position of a (projected) row; null if it is null. */
    static Object value(InternalRow row, int position, int column) {
        if (row.isNullAt(position)) {
            return null;
        }
        return switch (KINDS[column]) {
            case INT -> row.getInt(position);
            case DOUBLE -> row.getDouble(position);
            case STRING -> row.getString(position);
            case TIME -> row.getTimestampLtz(position, 3);
        };
    }
}
