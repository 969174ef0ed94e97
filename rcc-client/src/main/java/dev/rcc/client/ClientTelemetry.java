package dev.rcc.client;

import java.time.Duration;
import java.util.Objects;

/**
 * Receives what a client does and how long it takes, so that a library for metrics or traces can show it.
 * {@code dev.rcc.client.micrometer.MicrometerTelemetry} is the one for Micrometer; this interface is for those who use another.
 *
 * <p>Called on the program's threads and on those of the connections, often: an implementation must be fast and must not throw.
 */
public interface ClientTelemetry {
    /** Receives nothing. */
    ClientTelemetry NONE = (operation, parent) -> Call.NONE;

    /**
     * Something begins.
     *
     * @param operation what
     * @param parent what it is part of, as this method has returned it, or {@link Call#NONE}
     * @return what receives how it goes on and that it has ended; {@link Call#NONE} for nothing
     */
    Call begin(Operation operation, Call parent);

    /**
     * A client was opened, and will have connections.
     *
     * @param connections how many it has, whenever asked; the same object is given to {@link #closed}
     */
    default void opened(Connections connections) {}

    /**
     * A client was closed.
     *
     * @param connections as given to {@link #opened}: not to be asked any more
     */
    default void closed(Connections connections) {}

    /**
     * A client has tried to connect to a gateway.
     *
     * @param client the client's name
     * @param gateway the gateway's address, {@code host:port}
     * @param took how long that took
     * @param failure why it has failed, or null
     */
    default void connected(String client, String gateway, Duration took, Throwable failure) {}

    /** What takes time. */
    enum Kind {
        /** A transaction with all its attempts, as the program sees it. */
        TRANSACTION,
        /** A request to a gateway, from its being sent to its answer. */
        REQUEST
    }

    /**
     * Something that takes time.
     *
     * @param kind what kind of thing
     * @param name of a transaction {@code transact}, {@code read}, {@code manual} or {@code call}; of a request {@code get},
     *     {@code put}, {@code insert}, {@code delete}, {@code scan}, {@code commit} or {@code call}
     * @param cluster the cluster's name
     * @param table the table's name, or empty
     * @param procedure the stored procedure's name, or empty
     * @param gateway the gateway's address, {@code host:port}, or empty
     */
    record Operation(Kind kind, String name, String cluster, String table, String procedure, String gateway) {
        /** Checks that nothing is missing. */
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

    /** Something that has begun. */
    interface Call {
        /** Receives nothing. */
        Call NONE = failure -> {};

        /**
         * It has ended. Called once.
         *
         * @param failure why it has failed, or null
         */
        void end(Throwable failure);

        /**
         * It is about to be tried again.
         *
         * @param cause why the attempt before has failed
         */
        default void retried(RccException cause) {}

        /**
         * What the thread does from now on is part of this, until the scope is closed.
         *
         * @return the scope, which the same thread closes
         */
        default Scope enter() {
            return Scope.NONE;
        }
    }

    /** While it is open, what its thread does is part of a call. */
    interface Scope extends AutoCloseable {
        /** Of no connection. */
        Scope NONE = () -> {};

        @Override
        void close();
    }

    /** A client's connections. May be asked on any thread. */
    interface Connections {
        /** {@return the client's name, as its options have it} */
        String client();

        /** {@return the number of open connections on which an answer is awaited} */
        int used();

        /** {@return the number of open connections on which none is} */
        int idle();

        /** {@return the most connections that the client makes to the gateways that it knows} */
        int max();
    }
}
