package dev.rcc.bench.driver;

import dev.rcc.client.ClientOptions;
import java.util.Objects;

/**
 * Clients of the client library, which run a workload in place of the nodes' coroutines.
 *
 * @param mode how clients run transactions
 * @param clients the number of clients, each with one transaction at a time
 * @param options the clients' credentials, and their connections, which they share
 */
public record ClientLoad(Mode mode, int clients, ClientOptions options) {
    /** How clients run transactions. */
    public enum Mode {
        /** Interactively: the records read travel to the client. */
        CLIENT("client"),
        /** By a call of a stored procedure for each transaction. */
        PROCEDURES("procedures");

        private final String label;

        Mode(String label) {
            this.label = label;
        }

        /** The users' name of the mode. */
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
