package dev.rcc.bench.shell;

import dev.rcc.client.ErrorCode;

/** The exit code of the shell's process, so that scripts can react. The numbers are stable. */
public enum ExitCode {
    /** Everything went well. */
    OK(0),
    /** A command failed, and would fail again. */
    FAILED(1),
    /** A command or an option is malformed or unknown. */
    BAD_INPUT(2),
    /** The cluster, or a part that was needed, cannot be reached or admits no client. */
    UNAVAILABLE(3),
    /** The outcome of a commit is unknown. */
    OUTCOME_UNKNOWN(4),
    /** A transaction conflicted with other transactions and had no effect: a retry may succeed. */
    CONFLICT(5);

    private final int number;

    ExitCode(int number) {
        this.number = number;
    }

    /** The number. */
    public int number() {
        return number;
    }

    /** The exit code for the error of a client's call. */
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
