package strom.golden;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.apache.fluss.record.bytesview.BytesView;
import org.apache.fluss.shaded.netty4.io.netty.buffer.ByteBuf;

/** A fixture file: one JSON object per line. */
final class Lines {
    private final StringBuilder text = new StringBuilder();

    /** Adds a line with the given members, which alternate between name and JSON text. */
    void add(String... members) {
        text.append('{');
        for (int i = 0; i < members.length; i += 2) {
            text.append(i > 0 ? "," : "").append(string(members[i])).append(':').append(members[i + 1]);
        }
        text.append("}\n");
    }

    void save(Path directory, String folder, String file) throws Exception {
        Files.createDirectories(directory.resolve(folder));
        Files.writeString(directory.resolve(folder).resolve(file), text);
    }

    static String string(String value) {
        StringBuilder out = new StringBuilder("\"");
        for (char c : value.toCharArray()) {
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < 0x20) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }

    static String strings(List<String> values) {
        return "[" + String.join(",", values.stream().map(Lines::string).toList()) + "]";
    }

    static String hex(byte[] bytes) {
        return string(HexFormat.of().formatHex(bytes));
    }

    static byte[] bytes(BytesView view) {
        ByteBuf buffer = view.getByteBuf();
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.getBytes(buffer.readerIndex(), bytes);
        return bytes;
    }

    static String text(byte[] json) {
        return new String(json, StandardCharsets.UTF_8);
    }
}
