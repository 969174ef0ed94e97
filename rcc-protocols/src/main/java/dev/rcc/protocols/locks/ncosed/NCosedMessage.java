package dev.rcc.protocols.locks.ncosed;

import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.Memory;
import dev.rcc.protocols.locks.LockSite;

/**
 * A message between requesters that queue for a lock, or to the lock's node. The reply is the grant.
 *
 * <pre>
 *             what      to                          sharers          answered when
 *   request:  SUCCEED   the tail that was replaced  in front of me   the place in front has released the lock
 *             SHARE     the tail that was found     -                the lock may be shared
 *             DRAIN     the lock                    in front of me   these sharers have all left
 *             LEAVE     the lock                    -                at once
 *             and the configuration
 *   reply:    1; exclusive holds so far; whether an exclusive requester waits for these sharers
 * </pre>
 *
 * Queues begin anew with each configuration. A request of an older configuration, or one that waits as the next begins, is answered with 0.
 */
final class NCosedMessage {
    static final int RPC_ID = 202;

    static final int SUCCEED = 0;
    static final int SHARE = 1;
    static final int DRAIN = 2;
    static final int LEAVE = 3;

    static final int WHAT = 0;
    static final int TO = Memory.WORD_BYTES;
    static final int SHARERS = 2 * Memory.WORD_BYTES;
    static final int EPOCH = 3 * Memory.WORD_BYTES;
    static final int REQUEST_BYTES = 4 * Memory.WORD_BYTES;

    static final int ANSWERED = 0;
    static final int HOLDS = Memory.WORD_BYTES;
    static final int HAS_SUCCESSOR = 2 * Memory.WORD_BYTES;
    static final int REPLY_BYTES = 3 * Memory.WORD_BYTES;

    private NCosedMessage() {}

    /**
     * A requester that waits for an answer.
     *
     * @param request its message
     * @param site the worker that received the message, which must answer it
     */
    record Caller(RpcRequest request, LockSite site) {
        /** Grants the request. Called on any worker of the node. */
        void answer(LockSite on, long holds, boolean hasSuccessor) {
            answer(on, true, holds, hasSuccessor);
        }

        /** Replies that the queue no longer exists. Called on any worker of the node. */
        void refuse(LockSite on) {
            answer(on, false, 0, false);
        }

        private void answer(LockSite on, boolean isAnswered, long holds, boolean hasSuccessor) {
            if (site.worker().index() == on.worker().index()) {
                reply(isAnswered, holds, hasSuccessor);
            } else {
                site.worker().execute(() -> reply(isAnswered, holds, hasSuccessor));
            }
        }

        private void reply(boolean isAnswered, long holds, boolean hasSuccessor) {
            Memory to = request.response();
            long offset = request.responseOffset();
            to.putLong(offset + ANSWERED, isAnswered ? 1 : 0);
            to.putLong(offset + HOLDS, holds);
            to.putLong(offset + HAS_SUCCESSOR, hasSuccessor ? 1 : 0);
            site.counters().messages++;
            request.reply(REPLY_BYTES);
        }
    }
}
