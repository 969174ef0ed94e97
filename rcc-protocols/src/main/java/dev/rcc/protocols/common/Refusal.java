package dev.rcc.protocols.common;

import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.AbortReasons;

/**
 * A participant's reason for which an attempt must abort: any {@link AbortReason}, as the result of an item of a reply. A message
 * numbers its other results from 1 on; refusals are above all of them, and fit into {@link #BITS}.
 */
public final class Refusal {
    /** Bits that a result takes, refusal or not. */
    public static final int BITS = 9;

    private static final int NONE = AbortReason.MAX_CODE + 1;

    private Refusal() {}

    /** The result that makes the coordinator abort for {@code reason}. */
    public static int of(AbortReason reason) {
        return NONE + reason.code();
    }

    /** Whether a result is a refusal. */
    public static boolean is(int result) {
        return result > NONE;
    }

    /**
     * The reason for which a refused attempt must abort.
     *
     * @throws IllegalArgumentException if the protocol does not declare that reason
     */
    public static AbortReason reason(int result, AbortReasons reasons) {
        return reasons.ofCode(result - NONE);
    }
}
