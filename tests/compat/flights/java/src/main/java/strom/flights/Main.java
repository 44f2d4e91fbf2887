package strom.flights;

import java.util.Timer;
import java.util.TimerTask;
import org.apache.fluss.client.Connection;
import org.apache.fluss.client.ConnectionFactory;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.config.Configuration;
import org.apache.fluss.metadata.TablePath;

/** Usage: HOST:PORT DATABASE CSV_ZIP. Prints the cases of a transcript, without their number at the end. */
public final class Main {
    private static final int DEADLINE_S = 180;

    private Main() {}

    public static void main(String[] args) throws Exception {
        if (args.length != 3) {
            System.err.println("usage: HOST:PORT DATABASE CSV_ZIP");
            System.exit(2);
        }
        limitTime();
        Configuration configuration = new Configuration();
        configuration.setString("bootstrap.servers", args[0]);
        TablePath path = TablePath.of(args[1], "flights");
        Source source = Source.read(args[2]);
        Transcript out = new Transcript();
        try (Connection connection = ConnectionFactory.createConnection(configuration)) {
            out.run("java_flights_load", o -> o.line("rows written %d", Loader.load(connection, path, source)));
            try (Table table = connection.getTable(path)) {
                Verifier verifier = new Verifier(connection, table, path, source);
                out.run("java_flights_buckets", verifier::buckets);
                out.run("java_flights_whole", verifier::whole);
                out.run("java_flights_projection", verifier::projection);
                out.run("java_flights_by_commit_time", verifier::byCommitTime);
                out.run("java_flights_by_limit", verifier::byLimit);
            }
        }
        System.exit(out.good() ? 0 : 1);
    }

    /** A client waits for its server without end. */
    private static void limitTime() {
        new Timer("deadline", true).schedule(new TimerTask() {
            @Override
            public void run() {
                System.err.println("not finished after " + DEADLINE_S + " s, giving up");
                Runtime.getRuntime().halt(1);
            }
        }, DEADLINE_S * 1000L);
    }
}
