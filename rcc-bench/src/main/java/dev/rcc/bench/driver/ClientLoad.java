package dev.rcc.bench.driver;

import dev.rcc.client.ClientOptions;
import java.util.Objects;

/**
 * Clients of the client library, which run a workload in place of the nodes' coroutines.
 *
 * @param mode how they have transactions done
 * @param clients how many, each with one transaction at a time
 * @param options how they connect, and by how many connections, which they share; what they prove to servers
 */
public record ClientLoad(Mode mode, int clients, ClientOptions options) {
    /** How clients have transactions done. */
    public enum Mode {
        /** Interactively: what is read travels to the client. */
        CLIENT("client"),
        /** By a call of a stored procedure for each. */
        PROCEDURES("procedures");

        private final String label;

        Mode(String label) {
            this.label = label;
        }

        /** What users call it. */
        public String label() {
            return label;
        }
    }

    /** Checks that nothing is missing. */
    public ClientLoad {
        Objects.requireNonNull(mode, "mode");
        Objects.requireNonNull(options, "options");
        if (clients < 1) {
            throw new IllegalArgumentException("clients must be at least 1, got " + clients);
        }
    }
}
