package dev.rcc.server.gateway;

import dev.rcc.client.wire.CommitId;
import dev.rcc.client.wire.Message;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What stored procedures have returned whose calls had a name, for callers whose answer was lost; but for those that the outcome's record
 * keeps. The oldest are forgotten when there are too many, or too many bytes. May be used on any thread.
 */
final class CallResults {
    /** Bytes of a result that are not the result. */
    private static final int ENTRY_BYTES = 100;

    private final long bytesMax;
    private final Map<CommitId, Message.Returned> results = new LinkedHashMap<>();
    private long bytes;

    CallResults(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Remembers a result. Called before the call's outcome is visible to any client. */
    synchronized void put(CommitId id, Message.Returned result) {
        results.put(id, result);
        bytes += bytes(result);
        Iterator<Message.Returned> oldest = results.values().iterator();
        while (bytes > bytesMax && oldest.hasNext()) {
            bytes -= bytes(oldest.next());
            oldest.remove();
        }
    }

    /** The result of a call, or null if it is not known any more. */
    synchronized Message.Returned get(CommitId id) {
        return results.get(id);
    }

    /** An outcome with the result that belongs to it, if that is known here and not there. */
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
