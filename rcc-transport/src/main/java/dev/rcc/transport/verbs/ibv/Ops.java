package dev.rcc.transport.verbs.ibv;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Calls a device's operations by the function pointers from its table. Pointers among the arguments are longs,
 * which are passed in the same registers and need no object. A critical call is cheaper as it leaves out the thread's
 * transition, and for that reason must be short.
 */
@SuppressWarnings("restricted") // this class exists for native access; the launcher allows it
final class Ops {
    /** {@code int post(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad)}, or the same with {@code ibv_recv_wr}. */
    static final MethodHandle POST;

    static final MethodHandle POST_CRITICAL;

    /** {@code int poll_cq(struct ibv_cq *cq, int entries, struct ibv_wc *wcs)}. */
    static final MethodHandle POLL_CQ;

    static final MethodHandle POLL_CQ_CRITICAL;

    /** {@code int req_notify_cq(struct ibv_cq *cq, int solicited)}; may be a system call on any device. */
    static final MethodHandle REQ_NOTIFY_CQ;

    static {
        Linker linker = Linker.nativeLinker();
        Linker.Option critical = Linker.Option.critical(false);
        FunctionDescriptor post = FunctionDescriptor.of(
                ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);
        FunctionDescriptor poll = FunctionDescriptor.of(
                ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG);
        POST = linker.downcallHandle(post);
        POST_CRITICAL = linker.downcallHandle(post, critical);
        POLL_CQ = linker.downcallHandle(poll);
        POLL_CQ_CRITICAL = linker.downcallHandle(poll, critical);
        REQ_NOTIFY_CQ = linker.downcallHandle(
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT));
    }

    private Ops() {}

    static LinkageError failed(String what, Throwable cause) {
        return new LinkageError(what + " could not be called", cause);
    }
}
