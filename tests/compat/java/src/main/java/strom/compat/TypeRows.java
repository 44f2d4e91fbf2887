package strom.compat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.fluss.metadata.Schema;
import org.apache.fluss.row.BinaryString;
import org.apache.fluss.row.Decimal;
import org.apache.fluss.row.GenericArray;
import org.apache.fluss.row.GenericMap;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.row.TimestampLtz;
import org.apache.fluss.row.TimestampNtz;
import org.apache.fluss.types.DataTypes;

/** Schemas with every data type, and rows with ordinary, extreme, empty and null values. */
final class TypeRows {
    static final Schema FLAT =
            Schema.newBuilder()
                    .column("bo", DataTypes.BOOLEAN())
                    .column("ti", DataTypes.TINYINT())
                    .column("si", DataTypes.SMALLINT())
                    .column("i", DataTypes.INT())
                    .column("bi", DataTypes.BIGINT())
                    .column("f", DataTypes.FLOAT())
                    .column("d", DataTypes.DOUBLE())
                    .column("c4", DataTypes.CHAR(4))
                    .column("s", DataTypes.STRING())
                    .column("b3", DataTypes.BINARY(3))
                    .column("by", DataTypes.BYTES())
                    .column("d10", DataTypes.DECIMAL(10, 2))
                    .column("d38", DataTypes.DECIMAL(38, 18))
                    .column("da", DataTypes.DATE())
                    .column("t0", DataTypes.TIME(0))
                    .column("t3", DataTypes.TIME(3))
                    .column("n0", DataTypes.TIMESTAMP(0))
                    .column("n3", DataTypes.TIMESTAMP(3))
                    .column("n6", DataTypes.TIMESTAMP(6))
                    .column("n9", DataTypes.TIMESTAMP(9))
                    .column("l0", DataTypes.TIMESTAMP_LTZ(0))
                    .column("l3", DataTypes.TIMESTAMP_LTZ(3))
                    .column("l6", DataTypes.TIMESTAMP_LTZ(6))
                    .column("l9", DataTypes.TIMESTAMP_LTZ(9))
                    .build();

    /** Timestamps alone: what a client makes of one that lies far off depends on format and precision. */
    static final Schema TIMES =
            Schema.newBuilder()
                    .column("n3", DataTypes.TIMESTAMP(3))
                    .column("n6", DataTypes.TIMESTAMP(6))
                    .column("n9", DataTypes.TIMESTAMP(9))
                    .column("l3", DataTypes.TIMESTAMP_LTZ(3))
                    .column("l6", DataTypes.TIMESTAMP_LTZ(6))
                    .column("l9", DataTypes.TIMESTAMP_LTZ(9))
                    .build();

    static final Schema NESTED =
            Schema.newBuilder()
                    .column("id", DataTypes.INT())
                    .column("ints", DataTypes.ARRAY(DataTypes.INT()))
                    .column("texts", DataTypes.ARRAY(DataTypes.STRING()))
                    .column("map", DataTypes.MAP(DataTypes.STRING().copy(false), DataTypes.BIGINT()))
                    .column(
                            "pair",
                            DataTypes.ROW(
                                    DataTypes.FIELD("x", DataTypes.INT()),
                                    DataTypes.FIELD("y", DataTypes.STRING()),
                                    DataTypes.FIELD("z", DataTypes.ARRAY(DataTypes.DOUBLE()))))
                    .column("deep", DataTypes.ARRAY(DataTypes.ARRAY(DataTypes.INT())))
                    .column(
                            "rows",
                            DataTypes.ARRAY(
                                    DataTypes.ROW(
                                            DataTypes.FIELD("k", DataTypes.STRING()),
                                            DataTypes.FIELD("v", DataTypes.DECIMAL(20, 3)))))
                    .column("maps", DataTypes.MAP(DataTypes.INT().copy(false), DataTypes.ARRAY(DataTypes.STRING())))
                    .build();

    private TypeRows() {}

    static List<GenericRow> flat() {
        List<GenericRow> rows = new ArrayList<>();
        rows.add(
                flatRow(true, -2, 300, -5, 1234567890123L, 1.5f, -2.25, "ab  ", "héllo, wörld €", "010203", "0908",
                        "12345.67", "-12345678901234567890.123456789012345678", 19000, 45296000, 1700000000000L));
        rows.add(
                flatRow(false, Byte.MIN_VALUE, Short.MIN_VALUE, Integer.MIN_VALUE, Long.MIN_VALUE, Float.MIN_VALUE,
                        Double.MIN_VALUE, "\u0000\u0001~ ", "", "000000", "", "-99999999.99",
                        "-99999999999999999999.999999999999999999", -719162, 0, 0L));
        rows.add(
                flatRow(true, Byte.MAX_VALUE, Short.MAX_VALUE, Integer.MAX_VALUE, Long.MAX_VALUE, Float.MAX_VALUE,
                        Double.MAX_VALUE, "zzzz", "\uD83D\uDE00 four bytes", "ffffff", "00ff", "99999999.99",
                        "99999999999999999999.999999999999999999", 2932896, 86399000, 4102444800000L));
        rows.add(
                flatRow(false, 0, 0, 0, 0L, Float.NaN, Double.NEGATIVE_INFINITY, "a b ", " ", "7f8081", "80",
                        "0.00", "0.000000000000000001", 0, 1000, 1L));
        rows.add(
                flatRow(false, -1, -1, -1, -1L, -0.0f, -0.0d, "-0.0", "\t\n\"'\\", "010203", "ff", "-0.01",
                        "-0.000000000000000001", -1, 86399000, 1000L));
        rows.add(new GenericRow(FLAT.getColumns().size()));
        return rows;
    }

    static GenericRow times(long millis, int nanos6, int nanos9) {
        return GenericRow.of(
                TimestampNtz.fromMillis(millis), TimestampNtz.fromMillis(millis, nanos6), TimestampNtz.fromMillis(millis, nanos9),
                TimestampLtz.fromEpochMillis(millis), TimestampLtz.fromEpochMillis(millis, nanos6),
                TimestampLtz.fromEpochMillis(millis, nanos9));
    }

    private static GenericRow flatRow(
            boolean bo, int ti, int si, int i, long bi, float f, double d, String c4, String s, String b3, String by,
            String d10, String d38, int day, int time, long millis) {
        return GenericRow.of(
                bo, (byte) ti, (short) si, i, bi, f, d, BinaryString.fromString(c4), BinaryString.fromString(s),
                bytes(b3), bytes(by), Decimal.fromBigDecimal(new BigDecimal(d10), 10, 2),
                Decimal.fromBigDecimal(new BigDecimal(d38), 38, 18), day, time, time + (time == 0 ? 0 : 789),
                TimestampNtz.fromMillis(millis), TimestampNtz.fromMillis(millis + 123),
                TimestampNtz.fromMillis(millis + 999, 456_000), TimestampNtz.fromMillis(millis + 999, 999_999),
                TimestampLtz.fromEpochMillis(millis), TimestampLtz.fromEpochMillis(millis + 123),
                TimestampLtz.fromEpochMillis(millis + 999, 456_000), TimestampLtz.fromEpochMillis(millis + 999, 999_999));
    }

    static List<GenericRow> nested() {
        List<GenericRow> rows = new ArrayList<>();
        rows.add(
                GenericRow.of(
                        1, GenericArray.of(1, null, 3), texts("a", "", null, "longer than seven bytes"),
                        map("k1", 11L, "k2", null), GenericRow.of(42, text("y"), new GenericArray(new double[] {1.5, -2})),
                        GenericArray.of(new GenericArray(new int[] {1, 2}), null, new GenericArray(new int[0])),
                        GenericArray.of(entry("a", "1.500"), null, entry(null, null)),
                        map(7, texts("x"), 8, null, 9, texts())));
        rows.add(
                GenericRow.of(
                        2, GenericArray.of(), texts(), map(), GenericRow.of(null, null, null), GenericArray.of(),
                        GenericArray.of(), map()));
        rows.add(new GenericRow(NESTED.getColumns().size()));
        rows.add(
                GenericRow.of(
                        4, new GenericArray(counting(2000)), texts("é".repeat(100)), map("", Long.MIN_VALUE),
                        GenericRow.of(Integer.MIN_VALUE, text(""), new GenericArray(new double[] {Double.NaN})),
                        GenericArray.of(new GenericArray(counting(100)), new GenericArray(counting(3))),
                        GenericArray.of(entry("max", "99999999999999999.999")), map(-1, texts(null, null))));
        return rows;
    }

    private static int[] counting(int size) {
        int[] values = new int[size];
        for (int i = 0; i < size; i++) {
            values[i] = i;
        }
        return values;
    }

    private static BinaryString text(String value) {
        return value == null ? null : BinaryString.fromString(value);
    }

    private static GenericArray texts(String... values) {
        Object[] elements = new Object[values.length];
        for (int i = 0; i < values.length; i++) {
            elements[i] = text(values[i]);
        }
        return new GenericArray(elements);
    }

    private static GenericRow entry(String key, String value) {
        return GenericRow.of(text(key), value == null ? null : Decimal.fromBigDecimal(new BigDecimal(value), 20, 3));
    }

    private static GenericMap map(Object... keysAndValues) {
        Map<Object, Object> map = new HashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            Object key = keysAndValues[i];
            map.put(key instanceof String ? text((String) key) : key, keysAndValues[i + 1]);
        }
        return new GenericMap(map);
    }

    private static byte[] bytes(String hex) {
        byte[] bytes = new byte[hex.length() / 2];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
        }
        return bytes;
    }
}
