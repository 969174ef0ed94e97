package dev.rcc.bench.verify.clients;

import dev.rcc.client.ErrorCode;
import java.util.EnumSet;
import java.util.Set;

/** The errors that clients of a simulated cluster may be answered. */
final class ErrorCauses {
    /** Errors for which other transactions, the client itself or time is the cause. */
    private static final Set<ErrorCode> ALWAYS = EnumSet.of(
            ErrorCode.CONFLICT,
            ErrorCode.DEADLINE_EXCEEDED,
            ErrorCode.TRANSACTION_EXPIRED,
            ErrorCode.ALREADY_EXISTS,
            ErrorCode.PROCEDURE_FAILED,
            ErrorCode.OVERLOADED);
    /** Errors whose cause is a node or a link that is lost. */
    private static final Set<ErrorCode> OF_LOSSES = EnumSet.of(ErrorCode.UNAVAILABLE, ErrorCode.NO_SUCH_TRANSACTION);

    private ErrorCauses() {}

    /**
     * Whether an error may have a cause.
     *
     * @param code the error's number
     * @param isCalm whether the cluster loses no node and no link
     * @param isSlotOfAnother whether the outcome of the client's commit has its place where that of another client's slot has it, too
     */
    static boolean mayHaveCause(int code, boolean isCalm, boolean isSlotOfAnother) {
        return isAmong(ALWAYS, code)
                || (isAmong(OF_LOSSES, code) && !isCalm)
                || (code == ErrorCode.OUTCOME_SLOT_TAKEN.number() && isSlotOfAnother);
    }

    private static boolean isAmong(Set<ErrorCode> codes, int code) {
        return codes.stream().anyMatch(each -> each.number() == code);
    }
}
