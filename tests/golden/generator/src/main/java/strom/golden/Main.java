package strom.golden;

import java.nio.file.Path;

/** Writes all fixtures below the directory that is its argument. */
public final class Main {
    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[0]);
        Tables.write(directory);
        RowFixtures.write(directory);
        KeyFixtures.write(directory);
        LogBatchFixtures.write(directory);
        KvFixtures.write(directory);
        JsonFixtures.write(directory);
    }
}
