package dev.rcc.transport.verbs.ibv;

/** The result of a work request ({@code enum ibv_wc_status}), with its usual meaning. */
public enum WcStatus {
    /** The request succeeded. */
    SUCCESS(0, "success"),
    /** A message is longer than the receive buffer, or than the device can send. */
    LOCAL_LENGTH(1, "local length error: a message is longer than allowed"),
    /** The queue pair cannot carry out such a request. */
    LOCAL_QP_OPERATION(2, "local queue pair operation error: the request is not consistent with the queue pair"),
    /** Not used any more. */
    LOCAL_EEC_OPERATION(3, "local end-to-end context operation error"),
    /** The lkey does not cover the local bytes. */
    LOCAL_PROTECTION(4, "local protection error: the local memory is not registered for this"),
    /** The queue pair was in error when the request's turn came. */
    FLUSHED(5, "flushed: the queue pair was in error before the request's turn"),
    /** A memory window could not be bound. */
    WINDOW_BIND(6, "memory window bind error"),
    /** The responder's packet is invalid. */
    BAD_RESPONSE(7, "bad response"),
    /** A protection error on received data. */
    LOCAL_ACCESS(8, "local access error"),
    /** The responder did not understand the request. */
    REMOTE_INVALID_REQUEST(9, "remote invalid request: the peer's queue pair does not take such a request"),
    /** The rkey does not cover the remote bytes. */
    REMOTE_ACCESS(10, "remote access error: the peer's memory is not registered for this"),
    /** The responder could not carry the request out. */
    REMOTE_OPERATION(11, "remote operation error"),
    /** The peer does not answer. */
    RETRY_EXCEEDED(12, "transport retries exceeded: the peer does not answer"),
    /** The peer had no receive posted for too long. */
    RNR_RETRY_EXCEEDED(13, "receiver-not-ready retries exceeded: the peer has no receive posted"),
    /** Not used any more. */
    LOCAL_RDD_VIOLATION(14, "local reliable datagram domain violation"),
    /** Not used any more. */
    REMOTE_INVALID_RD_REQUEST(15, "remote invalid reliable datagram request"),
    /** The responder gave up. */
    REMOTE_ABORTED(16, "remote aborted"),
    /** Not used any more. */
    INVALID_EEC_NUMBER(17, "invalid end-to-end context number"),
    /** Not used any more. */
    INVALID_EEC_STATE(18, "invalid end-to-end context state"),
    /** The device is broken. */
    FATAL(19, "fatal error of the device"),
    /** The responder was too slow. */
    RESPONSE_TIMEOUT(20, "response timeout"),
    /** Any other error. */
    GENERAL(21, "general error"),
    /** Tag matching failed. */
    TAG_MATCHING(22, "tag matching error"),
    /** Tag matching failed in its rendezvous. */
    TAG_MATCHING_RENDEZVOUS(23, "tag matching rendezvous incomplete"),
    /** A number that this enum does not have. */
    UNKNOWN(-1, "unknown status");

    private static final WcStatus[] ALL = values();

    private final int code;
    private final String text;

    WcStatus(int code, String text) {
        this.code = code;
        this.text = text;
    }

    /** The status of a number. */
    public static WcStatus of(int code) {
        for (WcStatus status : ALL) {
            if (status.code == code) {
                return status;
            }
        }
        return UNKNOWN;
    }

    /** Its number. */
    public int code() {
        return code;
    }

    /** Its text. */
    @Override
    public String toString() {
        return text + " (status " + code + ")";
    }
}
