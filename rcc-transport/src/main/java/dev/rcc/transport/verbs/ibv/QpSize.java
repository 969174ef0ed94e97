package dev.rcc.transport.verbs.ibv;

/**
 * The size of a queue pair's queues and work requests.
 *
 * @param sendWrs work requests in its send queue
 * @param recvWrs work requests in its receive queue
 * @param sendSges pieces of a send work request
 * @param recvSges pieces of a receive work request
 * @param inlineBytes bytes that a work request may carry inline
 */
public record QpSize(int sendWrs, int recvWrs, int sendSges, int recvSges, int inlineBytes) {
    /** Checks the numbers. */
    public QpSize {
        if (sendWrs < 0 || recvWrs < 0 || sendSges < 0 || recvSges < 0 || inlineBytes < 0) {
            throw new IllegalArgumentException(
                    "sizes must be 0 or more, got " + sendWrs + " and " + recvWrs + " work requests of " + sendSges
                            + " and " + recvSges + " pieces, " + inlineBytes + " bytes inline");
        }
    }

    void write(long initAttr) {
        Raw.putInt(initAttr, QpInitAttrLayout.MAX_SEND_WR, sendWrs);
        Raw.putInt(initAttr, QpInitAttrLayout.MAX_RECV_WR, recvWrs);
        Raw.putInt(initAttr, QpInitAttrLayout.MAX_SEND_SGE, sendSges);
        Raw.putInt(initAttr, QpInitAttrLayout.MAX_RECV_SGE, recvSges);
        Raw.putInt(initAttr, QpInitAttrLayout.MAX_INLINE_DATA, inlineBytes);
    }

    static QpSize read(long initAttr) {
        return new QpSize(
                Raw.getInt(initAttr, QpInitAttrLayout.MAX_SEND_WR),
                Raw.getInt(initAttr, QpInitAttrLayout.MAX_RECV_WR),
                Raw.getInt(initAttr, QpInitAttrLayout.MAX_SEND_SGE),
                Raw.getInt(initAttr, QpInitAttrLayout.MAX_RECV_SGE),
                Raw.getInt(initAttr, QpInitAttrLayout.MAX_INLINE_DATA));
    }
}
