package dev.rcc.transport.verbs.ibv;

/**
 * A queue pair's state ({@code enum ibv_qp_state}). The device takes it from {@link #READY_TO_SEND} to {@link #ERROR} when a
 * request fails; all other posted requests then complete as {@link WcStatus#FLUSHED}.
 */
public enum QpState {
    /** New. */
    RESET(0),
    /** Takes receives. */
    INIT(1),
    /** Takes its peer's packets. */
    READY_TO_RECEIVE(2),
    /** Also sends. */
    READY_TO_SEND(3),
    /** Draining its send queue. */
    SEND_QUEUE_DRAINED(4),
    /** A send failed; receives go on. */
    SEND_QUEUE_ERROR(5),
    /** Neither sends nor receives any more. */
    ERROR(6),
    /** A number that this enum does not have. */
    UNKNOWN(-1);

    private static final QpState[] ALL = values();

    private final int code;

    QpState(int code) {
        this.code = code;
    }

    static QpState of(int code) {
        for (QpState state : ALL) {
            if (state.code == code) {
                return state;
            }
        }
        return UNKNOWN;
    }

    /** Its number. */
    public int code() {
        return code;
    }
}
