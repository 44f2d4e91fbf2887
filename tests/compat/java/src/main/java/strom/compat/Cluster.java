package strom.compat;

import org.apache.fluss.client.Connection;
import org.apache.fluss.client.ConnectionFactory;
import org.apache.fluss.config.Configuration;

/** The server under test: one connection that most cases share, and further ones with settings of their own. */
final class Cluster implements AutoCloseable {
    private final String bootstrap;
    private Connection shared;

    Cluster(String bootstrap) {
        this.bootstrap = bootstrap;
    }

    /** The shared connection; made anew if a case has broken it. */
    synchronized Connection connection() {
        if (shared == null) {
            shared = connect();
        }
        return shared;
    }

    Connection connect(String... settings) {
        Configuration configuration = new Configuration();
        configuration.setString("bootstrap.servers", bootstrap);
        // The cases flush what they write; waiting for more rows would only cost time.
        configuration.setString("client.writer.batch-timeout", "1ms");
        configuration.setString("client.request-timeout", "15s");
        for (int i = 0; i < settings.length; i += 2) {
            configuration.setString(settings[i], settings[i + 1]);
        }
        return ConnectionFactory.createConnection(configuration);
    }

    @Override
    public synchronized void close() throws Exception {
        if (shared != null) {
            shared.close();
        }
    }
}
