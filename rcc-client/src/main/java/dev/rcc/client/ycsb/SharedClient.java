package dev.rcc.client.ycsb;

import dev.rcc.client.RccClient;
import java.util.HashMap;
import java.util.Map;

/** A client that all threads of a benchmark share: connected for the first thread, closed after the last. */
final class SharedClient {
    private static final Map<YcsbOptions, SharedClient> OPEN = new HashMap<>();

    private final YcsbOptions options;
    private final RccClient client;
    private int users;

    private SharedClient(YcsbOptions options) {
        this.options = options;
        this.client = RccClient.connect(options.hosts(), options.client());
    }

    /** The shared client with these options. Each call is followed by a call of {@link #release}. */
    static SharedClient acquire(YcsbOptions options) {
        synchronized (OPEN) {
            SharedClient shared = OPEN.get(options);
            if (shared == null) {
                shared = new SharedClient(options);
                OPEN.put(options, shared);
            }
            shared.users++;
            return shared;
        }
    }

    /** Closes the client when no other thread uses it. */
    void release() {
        synchronized (OPEN) {
            users--;
            if (users == 0) {
                OPEN.remove(options);
                client.close();
            }
        }
    }

    RccClient client() {
        return client;
    }

    /** The number of connected clients; for tests. */
    static int open() {
        synchronized (OPEN) {
            return OPEN.size();
        }
    }
}
