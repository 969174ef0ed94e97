package dev.rcc.client;

import java.time.Duration;
import java.util.Objects;

/**
 * Receives what a client does and how long it takes, for a library for metrics or traces.
 * {@code dev.rcc.client.micrometer.MicrometerTelemetry} implements it for Micrometer; implement it yourself for another library.
 *
 * <p>The client calls it often, on the program's threads and on its connections' threads: an implementation must be fast and must not throw.
 */
public interface ClientTelemetry {
    /** Receives nothing. */
    ClientTelemetry NONE = (operation, parent) -> Call.NONE;

    /**
     * An operation begins.
     *
     * @param operation the operation
     * @param parent the call that this operation is part of, as this method returned it, or {@link Call#NONE}
     * @return the call that receives the operation's retries and end; {@link Call#NONE} to receive nothing
     */
    Call begin(Operation operation, Call parent);

    /**
     * A client was opened, and will have connections.
     *
     * @param connections the client's connections, to be read at any time; {@link #closed} receives the same object
     */
    default void opened(Connections connections) {}

    /**
     * A client was closed.
     *
     * @param connections the same object as for {@link #opened}; do not read it any more
     */
    default void closed(Connections connections) {}

    /**
     * A client has tried to connect to a gateway.
     *
     * @param client the client's name
     * @param gateway the gateway's address, {@code host:port}
     * @param took how long the attempt took
     * @param failure the reason why it failed, or null if it succeeded
     */
    default void connected(String client, String gateway, Duration took, Throwable failure) {}

    /** The kind of an operation. */
    enum Kind {
        /** A transaction with all its attempts. */
        TRANSACTION,
        /** A request to a gateway, from sending it to its answer. */
        REQUEST
    }

    /**
     * A transaction or a request.
     *
     * @param kind which of the two it is
     * @param name for a transaction {@code transact}, {@code read}, {@code manual} or {@code call}; for a request {@code get},
     *     {@code put}, {@code patch}, {@code insert}, {@code delete}, {@code scan}, {@code commit} or {@code call}
     * @param cluster the cluster's name
     * @param table the table's name, or empty
     * @param procedure the stored procedure's name, or empty
     * @param gateway the gateway's address, {@code host:port}, or empty
     */
    record Operation(Kind kind, String name, String cluster, String table, String procedure, String gateway) {
        /** Checks that nothing is null. */
        public Operation {
            Objects.requireNonNull(kind, "kind");
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(cluster, "cluster");
            Objects.requireNonNull(table, "table");
            Objects.requireNonNull(procedure, "procedure");
            Objects.requireNonNull(gateway, "gateway");
        }

        static Operation transaction(String name, String cluster) {
            return new Operation(Kind.TRANSACTION, name, cluster, "", "", "");
        }

        static Operation request(String name, String cluster, String table, Endpoint gateway) {
            return new Operation(Kind.REQUEST, name, cluster, table, "", gateway.toString());
        }
    }

    /** An operation that has begun. */
    interface Call {
        /** Receives nothing. */
        Call NONE = failure -> {};

        /**
         * The operation has ended. Called once.
         *
         * @param failure the reason why it failed, or null if it succeeded
         */
        void end(Throwable failure);

        /**
         * The transaction is about to be tried again.
         *
         * @param cause the reason why the last attempt failed
         */
        default void retried(RccException cause) {}

        /**
         * Everything that the calling thread does from now on is part of this operation, until the scope is closed.
         *
         * @return the scope, which the same thread closes
         */
        default Scope enter() {
            return Scope.NONE;
        }
    }

    /** While a scope is open, everything that its thread does is part of an operation. */
    interface Scope extends AutoCloseable {
        /** A scope without effect. */
        Scope NONE = () -> {};

        @Override
        void close();
    }

    /** A client's connections. Any thread may read them. */
    interface Connections {
        /** {@return the client's name, from its options} */
        String client();

        /** {@return the number of open connections on which an answer is awaited} */
        int used();

        /** {@return the number of open connections on which no answer is awaited} */
        int idle();

        /** {@return the most connections that the client opens to the gateways that it knows} */
        int max();
    }
}
