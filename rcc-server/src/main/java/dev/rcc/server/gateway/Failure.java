package dev.rcc.server.gateway;

import dev.rcc.client.ErrorCode;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.Message.Status;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Transaction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Why a transaction has ended without effect, as the answer to its client.
 *
 * @param code the error's code
 * @param reason the number of the protocol's reason to abort, or 0
 * @param text describes the failure, and advises the client
 */
record Failure(ErrorCode code, int reason, String text) {
    Failure(ErrorCode code, String text) {
        this(code, 0, text);
    }

    Message.Failed toReply() {
        return new Message.Failed(code.number(), true, code.isRetryable(), reason, text);
    }

    /** A request has failed; the transaction goes on. */
    static Message.Failed refusal(ErrorCode code, String text) {
        return new Message.Failed(code.number(), false, false, 0, text);
    }

    /** The answer for a commit that has not committed because its outcome was decided before it came. */
    static Failure known(Status before) {
        return new Failure(
                ErrorCode.CONFLICT,
                before == Status.IN_PROGRESS
                        ? "a commit with this id is in progress: ask for its outcome, and use an id only once"
                        : "the commit's outcome was asked for before it came, so it is refused: begin again");
    }

    /** The answer for a transaction that the protocol has aborted without another attempt. */
    static Failure of(Transaction txn) {
        AbortReason reason = txn.abortReason();
        if (reason == AbortReason.PEER_UNREACHABLE) {
            return because(
                    reason,
                    ErrorCode.UNAVAILABLE,
                    "a node that holds some of the records cannot be reached: try again later");
        }
        if (reason == AbortReason.NODE_DRAINING) {
            return because(
                    reason,
                    ErrorCode.UNAVAILABLE,
                    "the gateway's node is being stopped and takes no new transactions: use another one");
        }
        if (reason == AbortReason.NO_MAJORITY) {
            return because(
                    reason,
                    ErrorCode.UNAVAILABLE,
                    "the gateway's node is cut off from most others, which may go on without it: use another one");
        }
        if (reason == AbortReason.TABLE_FULL) {
            return because(
                    reason,
                    ErrorCode.TABLE_FULL,
                    "a table has no room for another key: delete records, or give the table a larger capacity or growth; it is "
                            + inserted(txn));
        }
        if (reason == AbortReason.DUPLICATE_KEY) {
            return because(
                    reason,
                    ErrorCode.DUPLICATE_KEY,
                    "the unique index " + txn.duplicateIn() + " of table "
                            + txn.duplicateIn().base()
                            + " has another record with the same key; the transaction has had no effect");
        }
        return reason.advice()
                .map(advice -> because(reason, ErrorCode.INTERNAL, advice))
                .orElseGet(() -> because(
                        reason,
                        ErrorCode.CONFLICT,
                        "the transaction conflicted with other transactions (" + reason
                                + ") and has had no effect: begin again"));
    }

    /** The tables into which a transaction inserts keys, one of which is full. */
    private static String inserted(Transaction txn) {
        return IntStream.range(0, txn.size())
                .mapToObj(txn::access)
                .filter(access -> access.intent() == Intent.INSERT)
                .map(access -> access.table().schema())
                .distinct()
                .map(schema -> schema.name() + ", whose partitions have a capacity of " + schema.capacity()
                        + " and a growth of " + schema.growth() + " times that")
                .collect(Collectors.joining("; or "));
    }

    private static Failure because(AbortReason reason, ErrorCode code, String text) {
        return new Failure(code, reason.code(), text);
    }
}
