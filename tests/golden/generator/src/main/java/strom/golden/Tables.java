package strom.golden;

import static org.apache.fluss.types.DataTypes.*;
import static strom.golden.Values.*;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.fluss.metadata.Schema;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.types.DataType;
import org.apache.fluss.types.RowType;

/**
 * The schemas and rows of which the fixtures of all formats are made: every type, nulls, extremes, empty values, nesting.
 * Values are exact in Arrow, too: TIME and timestamps have no more digits than their precision, and those of nanoseconds
 * lie between the years 1677 and 2262.
 */
record Tables(String name, Schema schema, List<GenericRow> rows) {
    RowType rowType() {
        return schema.getRowType();
    }

    DataType[] types() {
        return rowType().getChildren().toArray(new DataType[0]);
    }

    static List<Tables> all() {
        return List.of(pair(), scalars(), notNull(), precisions(), gaps(), wide(), arrays(), maps(), nestedRows());
    }

    /** tables: {name, schema, rows}; the fixtures of the other folders refer to them by name. */
    static void write(Path directory) throws Exception {
        Lines lines = new Lines();
        List<Tables> tables = new ArrayList<>(all());
        tables.addAll(List.of(empty(), repetitive(), texts()));
        for (Tables table : tables) {
            lines.add("name", Lines.string(table.name()), "schema", Lines.text(table.schema().toJsonBytes()), "rows",
                    Values.rows(table.rows()));
        }
        lines.save(directory, "tables", "tables.jsonl");
    }

    static Tables empty() {
        return new Tables("empty", pair().schema(), List.of());
    }

    /** Compresses well, and has a column without any data bytes. */
    static Tables repetitive() {
        List<GenericRow> rows = IntStream.range(0, 64).mapToObj(i -> row(null, 5L)).toList();
        return new Tables("repetitive", Schema.newBuilder().column("s", STRING()).column("v", BIGINT()).build(), rows);
    }

    /** Values whose text is part of Hudi's hash: numbers with exponents, times with and without seconds, odd strings. */
    static Tables texts() {
        return table("texts", List.of("f", "d", "t", "l", "s", "tm"),
                List.of(FLOAT(), DOUBLE(), TIMESTAMP(9), TIMESTAMP_LTZ(9), STRING(), TIME(3)),
                row(1.0e10f, 1.0e-5, ntz(1700000000000L, 0), ltz(1700000000000L, 0), text("a,b"), 0),
                row(0.001f, 9999999.0, ntz(1700000040000L, 0), ltz(1700000040000L, 0), text("__null__"), 1),
                row(0.1f, 1.0e7, ntz(1700000041120L, 0), ltz(1700000041120L, 0), text("__empty__"), -1),
                row(-123456.79f, 0.1, ntz(-1L, 999999), ltz(-1L, 999999), text(""), 86399999),
                row(Float.NaN, Double.POSITIVE_INFINITY, ntz(-62135596800000L, 1000), ltz(-62135596800000L, 1000),
                        text("日本 😀 é"), 12),
                row(Float.NEGATIVE_INFINITY, -0.0, ntz(0, 0), ltz(0, 0), text("plain"), 13));
    }

    static Tables pair() {
        return table("pair", List.of("a", "b"), List.of(INT(), STRING()), row(1, text("a")), row(2, null));
    }

    private static final List<String> SCALAR_NAMES = List.of("bo", "ti", "si", "i", "bi", "f", "d", "c4", "s", "b3", "by",
            "d10", "d25", "da", "tm", "t3", "t6", "l9", "nul");

    private static List<DataType> scalarTypes() {
        return List.of(BOOLEAN(), TINYINT(), SMALLINT(), INT(), BIGINT(), FLOAT(), DOUBLE(), CHAR(4), STRING(), BINARY(3),
                BYTES(), DECIMAL(10, 2), DECIMAL(25, 3), DATE(), TIME(3), TIMESTAMP(3), TIMESTAMP(6), TIMESTAMP_LTZ(9),
                INT());
    }

    static GenericRow usual() {
        return row(true, (byte) -2, (short) 300, -5, 1234567890123L, 1.5f, -2.25, text("ab  "), text("héllo, world"),
                bytes("010203"), bytes("0908"), decimal("12345.67", 10, 2), decimal("-1234567890123456789.125", 25, 3),
                19000, 45296789, ntz(1700000000123L, 0), ntz(1700000000123L, 456000), ltz(1700000000123L, 456789), null);
    }

    private static GenericRow smallest() {
        return row(false, Byte.MIN_VALUE, Short.MIN_VALUE, Integer.MIN_VALUE, Long.MIN_VALUE, Float.NEGATIVE_INFINITY,
                -Double.MAX_VALUE, text(""), text(""), bytes("000000"), bytes(""), decimal("-99999999.99", 10, 2),
                decimal("-9999999999999999999999.999", 25, 3), -719528, 0, ntz(-62167219200000L, 0),
                ntz(-62167219200000L, 1000), ltz(-9223372036854L, 1), Integer.MIN_VALUE);
    }

    private static GenericRow largest() {
        return row(true, Byte.MAX_VALUE, Short.MAX_VALUE, Integer.MAX_VALUE, Long.MAX_VALUE, Float.MIN_VALUE, Double.NaN,
                text("😀"), text("exactly eight and then some \u0001\"\\ ".repeat(3)), bytes("ffffff"),
                bytes("00ff".repeat(20)), decimal("99999999.99", 10, 2), decimal("9999999999999999999999.999", 25, 3), 2932896,
                86399999, ntz(253402300799999L, 0), ntz(253402300799999L, 999000), ltz(9223372036854L, 775807),
                Integer.MAX_VALUE);
    }

    static Tables scalars() {
        GenericRow zeros = row(false, (byte) 0, (short) 0, 0, 0L, -0.0f, 0.0, text("a"), text("1234567"), bytes("000001"),
                bytes("ffffffffffffff"), decimal("0.00", 10, 2), decimal("0.001", 25, 3), 0, 1, ntz(0, 0), ntz(0, 0),
                ltz(-1, 999999), 0);
        GenericRow nulls = new GenericRow(SCALAR_NAMES.size());
        return table("scalars", SCALAR_NAMES, scalarTypes(), usual(), smallest(), largest(), zeros, nulls);
    }

    static Tables notNull() {
        List<DataType> types = scalarTypes().stream().map(type -> type.copy(false)).toList();
        GenericRow usual = usual();
        usual.setField(SCALAR_NAMES.size() - 1, 0);
        return table("not_null", SCALAR_NAMES, types, usual, smallest(), largest());
    }

    private static Tables precisions() {
        List<DataType> types = List.of(TIME(0), TIME(3), TIME(6), TIME(9), TIMESTAMP(0), TIMESTAMP(3), TIMESTAMP(6),
                TIMESTAMP(9), TIMESTAMP_LTZ(0), TIMESTAMP_LTZ(3), TIMESTAMP_LTZ(6), TIMESTAMP_LTZ(9), DECIMAL(1, 0),
                DECIMAL(18, 18), DECIMAL(19, 0), DECIMAL(38, 38), DECIMAL(38, 0), CHAR(1), BINARY(1));
        List<String> names = numbered(types.size());
        long second = 1700000000000L;
        String nines = "9".repeat(38);
        return table("precisions", names, types,
                row(45296000, 45296789, 45296789, 45296789, ntz(second, 0), ntz(second + 123, 0), ntz(second + 123, 456000),
                        ntz(second + 123, 456789), ltz(second, 0), ltz(second + 123, 0), ltz(second + 123, 456000),
                        ltz(second + 123, 456789), decimal("-9", 1, 0), decimal("0." + nines.substring(20), 18, 18),
                        decimal("1" + nines.substring(20), 19, 0), decimal("-0." + nines, 38, 38), decimal(nines, 38, 0),
                        text("e"), bytes("80")),
                row(86399000, 1, 0, 86399999, ntz(-1000, 0), ntz(-1, 0), ntz(-1, 999000), ntz(-1, 1), ltz(0, 0), ltz(1, 0),
                        ltz(0, 1000), ltz(0, 999999), decimal("0", 1, 0), decimal("-0." + nines.substring(20), 18, 18),
                        decimal("-128", 19, 0), decimal("0." + "0".repeat(37) + "1", 38, 38), decimal("-" + nines, 38, 0),
                        text("x"), bytes("00")));
    }

    /** Nulls between values of variable width: the list of lengths of INDEXED rows has no gaps. */
    private static Tables gaps() {
        return table("gaps", List.of("a", "b", "c", "d"), List.of(INT(), STRING(), BYTES(), STRING()),
                row(7, null, bytes("05"), text("xyz")), row(null, text("longer than seven"), null, text("")));
    }

    /** More columns than the bits of a word. */
    private static Tables wide() {
        List<DataType> types = new ArrayList<>();
        GenericRow every = new GenericRow(70);
        GenericRow odd = new GenericRow(70);
        for (int i = 0; i < 70; i++) {
            types.add(i % 3 == 0 ? STRING() : SMALLINT());
            every.setField(i, i % 3 == 0 ? text("s" + i) : (short) i);
            odd.setField(i, i % 2 == 0 ? null : every.getField(i));
        }
        return table("wide", numbered(70), types, every, odd, new GenericRow(70));
    }

    private static Tables arrays() {
        List<DataType> types = List.of(ARRAY(INT()), ARRAY(BOOLEAN()), ARRAY(STRING()), ARRAY(DECIMAL(10, 2)),
                ARRAY(DECIMAL(25, 3)), ARRAY(TIMESTAMP(3)), ARRAY(TIMESTAMP_LTZ(9)), ARRAY(ARRAY(BIGINT())),
                ARRAY(BINARY(2)), ARRAY(SMALLINT().copy(false)));
        Object[] many = new Object[33];
        for (int i = 0; i < many.length; i++) {
            many[i] = i % 5 == 0 ? null : i * 1000;
        }
        return table("arrays", numbered(types.size()), types,
                row(array(1, null, 3), array(true, false, null, true), array(text("short"), null, text("longer than seven"),
                                text("")), array(decimal("1.25", 10, 2), null), array(decimal("-1.125", 25, 3), null),
                        array(ntz(1, 0), null), array(null, ltz(1700000000123L, 456789)),
                        array(array(1L, 2L), null, array(), array(3L)), array(bytes("0102"), null),
                        array((short) 1, (short) -1)),
                row(array(many), array(), array(text("")), array(), array(decimal("0.000", 25, 3)), array(), array(),
                        array(array()), array(), array()),
                new GenericRow(types.size()));
    }

    private static Tables maps() {
        List<DataType> types = List.of(MAP(STRING().copy(false), BIGINT()), MAP(INT().copy(false), STRING()),
                MAP(DATE().copy(false), ARRAY(DOUBLE())), MAP(STRING().copy(false), MAP(TINYINT().copy(false), BYTES())));
        return table("maps", numbered(types.size()), types,
                row(map(text("k1"), 11L, text("a longer key"), null), map(1, text("one"), -1, null),
                        map(19000, array(1.5, null), 0, null),
                        map(text("outer"), map((byte) 1, bytes("00"), (byte) 2, bytes("0102030405060708")))),
                row(map(), map(), map(), map(text(""), map())), new GenericRow(types.size()));
    }

    static Tables nestedRows() {
        DataType point = ROW(FIELD("x", INT()), FIELD("y", STRING(), "a description"));
        DataType deep = ROW(FIELD("p", point), FIELD("list", ARRAY(point)), FIELD("by_name", MAP(STRING().copy(false), point)),
                FIELD("amount", DECIMAL(30, 4)));
        return table("rows", List.of("id", "point", "deep"), List.of(BIGINT().copy(false), point, deep),
                row(1L, row(42, text("longer than seven")),
                        row(row(null, text("y")), array(row(1, text("one")), null, row(null, null)),
                                map(text("k"), row(7, null)), decimal("-12345678901234567890.1234", 30, 4))),
                row(2L, row(null, null), row(null, array(), map(), null)), row(3L, null, null));
    }

    private static Tables table(String name, List<String> names, List<DataType> types, GenericRow... rows) {
        return new Tables(name, Schema.newBuilder().fromFields(names, types).build(), List.of(rows));
    }

    private static List<String> numbered(int count) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add("c" + i);
        }
        return names;
    }

    static GenericRow row(Object... fields) {
        return GenericRow.of(fields);
    }
}
