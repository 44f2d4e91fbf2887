package strom.compat;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.fluss.client.Connection;
import org.apache.fluss.client.ConnectionFactory;
import org.apache.fluss.config.Configuration;

/** The server under test: one connection that most cases share, and further ones with settings of their own. */
final class Cluster implements AutoCloseable {
    static final String[] PATIENT = {"client.writer.batch-timeout", Suites.PATIENCE};

    private final String bootstrap;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Queue<CompletableFuture<Void>> closing = new ConcurrentLinkedQueue<>();
    private Connection shared;
    private Connection patient;
    private Connection single;

    Cluster(String bootstrap) {
        this.bootstrap = bootstrap;
    }

    /** The shared connection. */
    synchronized Connection connection() {
        if (shared == null) {
            shared = connect();
        }
        return shared;
    }

    /**
     * A shared connection whose writers send only what is flushed, so that what is appended together is one batch of a
     * bucket, however slow the machine is. For tables that are served already: this writer also looks for leaders rarely.
     */
    synchronized Connection patient() {
        if (patient == null) {
            patient = connect(PATIENT);
        }
        return patient;
    }

    /**
     * A shared connection whose scanners give one record a poll, for the row formats. The client 1.0.0 gives out rows that
     * lie in the memory of the answer, and frees that memory in the poll that takes its last record: the next answer then
     * overwrites rows that nobody has looked at. With one record a poll, the last one is rendered before that.
     */
    synchronized Connection single() {
        if (single == null) {
            single = connect("client.scanner.log.max-poll-records", "1");
        }
        return single;
    }

    Connection connect(String... settings) {
        Configuration configuration = new Configuration();
        configuration.setString("bootstrap.servers", bootstrap);
        // Also how long a writer sleeps before it asks again for a leader or partition that it misses.
        configuration.setString("client.writer.batch-timeout", "20ms");
        configuration.setString("client.request-timeout", "30s");
        for (int i = 0; i < settings.length; i += 2) {
            configuration.setString(settings[i], settings[i + 1]);
        }
        return ConnectionFactory.createConnection(configuration);
    }

    /** Closing takes the client two seconds, whatever it did; the next case need not wait for that. */
    void closeLater(Connection connection) {
        closing.add(
                CompletableFuture.runAsync(
                        () -> {
                            try {
                                connection.close();
                            } catch (Exception e) {
                                throw new CompletionException(e);
                            }
                        },
                        threads));
    }

    @Override
    public void close() {
        for (Connection connection : new Connection[] {shared, patient, single}) {
            if (connection != null) {
                closeLater(connection);
            }
        }
        closing.forEach(CompletableFuture::join);
        threads.shutdown();
    }
}
