package dev.rcc.server.gateway;

import dev.rcc.client.wire.CommitId;
import dev.rcc.client.wire.Message;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The results of named calls of stored procedures, for callers whose answer was lost, except results that the outcome's record keeps. The
 * oldest results are forgotten when all together have too many bytes; each counts with an overhead. May be used on any thread.
 */
final class CallResults {
    /** Overhead of a result, in bytes. */
    private static final int ENTRY_BYTES = 100;

    private final long bytesMax;
    private final Map<CommitId, Message.Returned> results = new LinkedHashMap<>();
    private long bytes;

    CallResults(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Remembers a result. Called before the call's outcome is visible to any client. */
    synchronized void put(CommitId id, Message.Returned result) {
        Message.Returned replaced = results.put(id, result);
        bytes += bytes(result) - (replaced == null ? 0 : bytes(replaced));
        Iterator<Message.Returned> oldest = results.values().iterator();
        while (bytes > bytesMax && oldest.hasNext()) {
            bytes -= bytes(oldest.next());
            oldest.remove();
        }
    }

    /** The result of a call, or null if it is not kept any more. */
    synchronized Message.Returned get(CommitId id) {
        return results.get(id);
    }

    /** An outcome, completed with its result if the outcome lacks it and it is kept here. */
    Message.OutcomeIs complete(CommitId id, Message.OutcomeIs outcome) {
        if (outcome.status() != Message.Status.COMMITTED || outcome.result() != null) {
            return outcome;
        }
        Message.Returned returned = get(id);
        return returned == null
                ? outcome
                : new Message.OutcomeIs(outcome.status(), outcome.commitTs(), returned.result());
    }

    private static long bytes(Message.Returned result) {
        return (long) ENTRY_BYTES + result.result().length();
    }
}
