package dev.rcc.server.gateway;

import dev.rcc.client.wire.CommitId;
import java.util.Objects;

/** A request of a client to its open transaction, whatever the transport. */
public sealed interface Request permits Operation, Request.Commit, Request.Abort {
    /**
     * The transaction is to take effect.
     *
     * @param id the id under which its outcome can be asked for, or {@link CommitId#NONE}
     */
    record Commit(CommitId id) implements Request {
        /** Checks that there is an id. */
        public Commit {
            Objects.requireNonNull(id, "id");
        }
    }

    /** The transaction is to end without effect. */
    record Abort() implements Request {}
}
