package strom.golden;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.fluss.row.BinaryString;
import org.apache.fluss.row.Decimal;
import org.apache.fluss.row.GenericArray;
import org.apache.fluss.row.GenericMap;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.row.InternalRow;
import org.apache.fluss.row.TimestampLtz;
import org.apache.fluss.row.TimestampNtz;

/**
 * Values as JSON that the schema beside them makes unambiguous: integers as numbers, FLOAT and DOUBLE as the hex of their
 * bits, BINARY and BYTES as hex, DECIMAL as its text, timestamps as [milliseconds, nanoseconds], MAP as a list of pairs.
 */
final class Values {
    private Values() {}

    static String json(Object value) {
        if (value == null || value instanceof Boolean) {
            return String.valueOf(value);
        } else if (value instanceof Float f) {
            return Lines.string(HexFormat.of().toHexDigits(Float.floatToRawIntBits(f)));
        } else if (value instanceof Double d) {
            return Lines.string(HexFormat.of().toHexDigits(Double.doubleToRawLongBits(d)));
        } else if (value instanceof Number) {
            return value.toString();
        } else if (value instanceof BinaryString || value instanceof Decimal) {
            return Lines.string(value.toString());
        } else if (value instanceof byte[] bytes) {
            return Lines.hex(bytes);
        } else if (value instanceof TimestampNtz t) {
            return "[" + t.getMillisecond() + "," + t.getNanoOfMillisecond() + "]";
        } else if (value instanceof TimestampLtz t) {
            return "[" + t.getEpochMillisecond() + "," + t.getNanoOfMillisecond() + "]";
        } else if (value instanceof GenericArray array) {
            return json(List.of(nonNull(array.toObjectArray())));
        } else if (value instanceof GenericMap map) {
            return pairs(map);
        } else if (value instanceof GenericRow row) {
            return fields(row);
        } else if (value instanceof List<?> list) {
            return "[" + String.join(",", list.stream().map(v -> json(v == NULL ? null : v)).toList()) + "]";
        }
        throw new IllegalArgumentException(value.getClass().toString());
    }

    static String rows(List<? extends InternalRow> rows) {
        return "[" + String.join(",", rows.stream().map(Values::json).toList()) + "]";
    }

    private static String fields(GenericRow row) {
        List<String> fields = new ArrayList<>();
        for (int i = 0; i < row.getFieldCount(); i++) {
            fields.add(json(row.getField(i)));
        }
        return "[" + String.join(",", fields) + "]";
    }

    private static String pairs(GenericMap map) {
        Object[] keys = ((GenericArray) map.keyArray()).toObjectArray();
        Object[] values = ((GenericArray) map.valueArray()).toObjectArray();
        List<String> pairs = new ArrayList<>();
        for (int i = 0; i < keys.length; i++) {
            pairs.add("[" + json(keys[i]) + "," + json(values[i]) + "]");
        }
        return "[" + String.join(",", pairs) + "]";
    }

    private static final Object NULL = new Object();

    private static Object[] nonNull(Object[] values) {
        Object[] copy = values.clone();
        for (int i = 0; i < copy.length; i++) {
            copy[i] = copy[i] == null ? NULL : copy[i];
        }
        return copy;
    }

    // Shorthand for fixtures.

    static BinaryString text(String value) {
        return BinaryString.fromString(value);
    }

    static Decimal decimal(String value, int precision, int scale) {
        return Decimal.fromBigDecimal(new java.math.BigDecimal(value), precision, scale);
    }

    static TimestampNtz ntz(long millis, int nanos) {
        return TimestampNtz.fromMillis(millis, nanos);
    }

    static TimestampLtz ltz(long millis, int nanos) {
        return TimestampLtz.fromEpochMillis(millis, nanos);
    }

    static GenericArray array(Object... elements) {
        return new GenericArray(elements);
    }

    /** Alternates between keys and values; keeps their order. */
    static GenericMap map(Object... entries) {
        Map<Object, Object> map = new java.util.LinkedHashMap<>();
        for (int i = 0; i < entries.length; i += 2) {
            map.put(entries[i], entries[i + 1]);
        }
        return new GenericMap(map);
    }

    static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }
}
