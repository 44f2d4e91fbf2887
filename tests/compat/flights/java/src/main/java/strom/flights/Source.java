package strom.flights;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.zip.ZipFile;
import org.apache.fluss.row.BinaryString;
import org.apache.fluss.row.TimestampLtz;

/**
 * The rows of the CSV file. They are kept as lines and parsed where they are needed; each month is in two parts, its
 * first fifteen days and the rest, which is the order in which it is written.
 */
final class Source {
    static final int MONTHS = 12;
    static final int ROWS = 336_776;
    static final int FIRST_PART_DAYS = 15;

    private final List<List<String>> early = new ArrayList<>();
    private final List<List<String>> late = new ArrayList<>();

    private Source() {
        for (int month = 0; month <= MONTHS; month++) {
            early.add(new ArrayList<>());
            late.add(new ArrayList<>());
        }
    }

    static Source read(String zip) throws IOException {
        Source source = new Source();
        int rows = 0;
        try (ZipFile file = new ZipFile(zip);
                BufferedReader lines = new BufferedReader(new InputStreamReader(
                        file.getInputStream(file.getEntry("flights.csv")), StandardCharsets.UTF_8))) {
            if (!String.join(",", Layout.NAMES).equals(lines.readLine())) {
                throw new IOException(zip + ": the first line is not the expected header");
            }
            for (String line = lines.readLine(); line != null; line = lines.readLine(), rows++) {
                String[] fields = line.split(",", 4);
                List<List<String>> part = Integer.parseInt(fields[2]) <= FIRST_PART_DAYS ? source.early : source.late;
                part.get(Integer.parseInt(fields[1])).add(line);
            }
        }
        if (rows != ROWS) {
            throw new IOException(zip + ": expected " + ROWS + " rows, found " + rows);
        }
        return source;
    }

    /** The two parts of a month, 1 to 12. */
    List<List<String>> parts(int month) {
        return List.of(early.get(month), late.get(month));
    }

    /** The rows of a month that satisfy a condition, in the order in which they are written. */
    List<Object[]> rows(int month, Predicate<Object[]> keep) {
        List<Object[]> rows = new ArrayList<>();
        for (List<String> part : parts(month)) {
            for (String line : part) {
                Object[] row = parse(line);
                if (keep.test(row)) {
                    rows.add(row);
                }
            }
        }
        return rows;
    }

    /** A line as the values of a row; NA is null. */
    static Object[] parse(String line) {
        String[] fields = line.split(",", -1);
        Object[] row = new Object[fields.length];
        for (int i = 0; i < fields.length; i++) {
            row[i] = fields[i].equals("NA") ? null : value(Layout.KINDS[i], fields[i]);
        }
        return row;
    }

    private static Object value(Layout.Kind kind, String text) {
        return switch (kind) {
            case INT -> Integer.valueOf(text);
            case DOUBLE -> Double.valueOf(text);
            case STRING -> BinaryString.fromString(text);
            case TIME -> TimestampLtz.fromEpochMillis(Instant.parse(text).toEpochMilli());
        };
    }
}
