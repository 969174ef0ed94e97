package dev.rcc.bench.shell;

import dev.rcc.client.ErrorCode;

/** What the shell's process ends with, so that scripts can tell what to do. The numbers are stable. */
public enum ExitCode {
    /** Everything went well. */
    OK(0),
    /** A command failed, and would fail again. */
    FAILED(1),
    /** A command or an option makes no sense. */
    BAD_INPUT(2),
    /** The cluster, or a part that was needed, cannot be reached or admits no client. */
    UNAVAILABLE(3),
    /** It is not known whether a commit has taken effect. */
    OUTCOME_UNKNOWN(4),
    /** A transaction met others and has had no effect: it may succeed when it is done again. */
    CONFLICT(5);

    private final int number;

    ExitCode(int number) {
        this.number = number;
    }

    /** The number. */
    public int number() {
        return number;
    }

    /** The one for what a client's call has ended with. */
    public static ExitCode of(ErrorCode code) {
        return switch (code) {
            case CONFLICT, TRANSACTION_EXPIRED, OUTCOME_SLOT_TAKEN -> CONFLICT;
            case OUTCOME_UNKNOWN -> OUTCOME_UNKNOWN;
            case UNAVAILABLE, OVERLOADED, UNAUTHENTICATED, UNSUPPORTED_VERSION, MALFORMED_FRAME -> UNAVAILABLE;
            case BAD_REQUEST, NO_SUCH_TABLE, NO_SUCH_PROCEDURE, LIMIT_EXCEEDED -> BAD_INPUT;
            case DEADLINE_EXCEEDED,
                    NOT_FOUND,
                    ALREADY_EXISTS,
                    DUPLICATE_KEY,
                    PROCEDURE_FAILED,
                    RESULT_LOST,
                    LOCK_NOT_GRANTED,
                    LOCK_LOST,
                    NO_SUCH_TRANSACTION,
                    PERMISSION_DENIED,
                    TABLE_FULL,
                    INTERNAL -> FAILED;
        };
    }
}
