package strom.compat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.zip.CRC32C;
import org.apache.fluss.exception.ApiException;
import org.apache.fluss.row.BinaryString;
import org.apache.fluss.row.InternalArray;
import org.apache.fluss.row.InternalMap;
import org.apache.fluss.row.InternalRow;
import org.apache.fluss.row.TimestampLtz;
import org.apache.fluss.row.TimestampNtz;
import org.apache.fluss.rpc.protocol.Errors;
import org.apache.fluss.types.ArrayType;
import org.apache.fluss.types.DataType;
import org.apache.fluss.types.MapType;
import org.apache.fluss.types.RowType;

/** How values and errors look in the transcript: the same for equal values, whatever the row's encoding is. */
final class Text {
    private static final int LONGEST = 64;

    private Text() {}

    /** {@code error NAME}; the chain of causes for exceptions that say nothing by their own name. */
    static String error(Throwable thrown) {
        Throwable t = thrown;
        while ((t instanceof ExecutionException || t instanceof CompletionException) && t.getCause() != null) {
            t = t.getCause();
        }
        StringBuilder text = new StringBuilder("error ").append(t.getClass().getSimpleName());
        while (!(t instanceof ApiException) && t.getCause() != null && t.getCause() != t) {
            t = t.getCause();
            if (!(t instanceof ExecutionException || t instanceof CompletionException)) {
                text.append(" < ").append(t.getClass().getSimpleName());
            }
        }
        return text.toString();
    }

    static String code(int code) {
        return "error " + code + " " + Errors.forCode(code);
    }

    static String sorted(Map<String, String> map) {
        return new TreeMap<>(map).toString();
    }

    static String row(InternalRow row, RowType type) {
        List<String> fields = new ArrayList<>();
        for (int i = 0; i < type.getFieldCount(); i++) {
            DataType fieldType = type.getTypeAt(i);
            fields.add(value(InternalRow.createFieldGetter(fieldType, i).getFieldOrNull(row), fieldType));
        }
        return "(" + String.join(", ", fields) + ")";
    }

    private static String array(InternalArray array, DataType elementType) {
        InternalArray.ElementGetter getter = InternalArray.createElementGetter(elementType);
        List<String> elements = new ArrayList<>();
        for (int i = 0; i < array.size(); i++) {
            elements.add(value(getter.getElementOrNull(array, i), elementType));
        }
        return shorten("[" + String.join(", ", elements) + "]");
    }

    private static String map(InternalMap map, MapType type) {
        InternalArray.ElementGetter keys = InternalArray.createElementGetter(type.getKeyType());
        InternalArray.ElementGetter values = InternalArray.createElementGetter(type.getValueType());
        // Sorted, because the order of a Java map is not part of its value.
        Map<String, String> entries = new TreeMap<>();
        for (int i = 0; i < map.size(); i++) {
            entries.put(
                    value(keys.getElementOrNull(map.keyArray(), i), type.getKeyType()),
                    value(values.getElementOrNull(map.valueArray(), i), type.getValueType()));
        }
        return entries.toString();
    }

    private static String value(Object value, DataType type) {
        if (value == null) {
            return "null";
        } else if (value instanceof BinaryString) {
            return "'" + shorten(visible(value.toString())) + "'";
        } else if (value instanceof byte[]) {
            return "x" + shorten(hex((byte[]) value));
        } else if (value instanceof TimestampNtz) {
            TimestampNtz t = (TimestampNtz) value;
            return t.getMillisecond() + "ms+" + t.getNanoOfMillisecond() + "ns";
        } else if (value instanceof TimestampLtz) {
            TimestampLtz t = (TimestampLtz) value;
            return t.getEpochMillisecond() + "ms+" + t.getNanoOfMillisecond() + "ns";
        } else if (value instanceof InternalArray) {
            return array((InternalArray) value, ((ArrayType) type).getElementType());
        } else if (value instanceof InternalMap) {
            return map((InternalMap) value, (MapType) type);
        } else if (value instanceof InternalRow) {
            return row((InternalRow) value, (RowType) type);
        }
        return value.toString();
    }

    /** Control characters would break the lines of the transcript. */
    private static String visible(String text) {
        StringBuilder result = new StringBuilder(text.length());
        for (char ch : text.toCharArray()) {
            if (ch < ' ') {
                result.append(String.format("\\x%02x", (int) ch));
            } else {
                result.append(ch);
            }
        }
        return result.toString();
    }

    /** Long texts become their length and checksum. */
    private static String shorten(String text) {
        if (text.length() <= LONGEST * 4) {
            return text;
        }
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return text.substring(0, 16) + "... length " + text.length() + " crc " + Long.toHexString(crc.getValue());
    }

    static String hex(byte[] bytes) {
        StringBuilder text = new StringBuilder(bytes.length * 2);
        for (byte b : bytes) {
            text.append(Character.forDigit((b >> 4) & 15, 16)).append(Character.forDigit(b & 15, 16));
        }
        return text.toString();
    }
}
