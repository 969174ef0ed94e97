package dev.rcc.it.protocol;

import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.txn.Coordinator;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.worker.Completion;
import java.util.function.UnaryOperator;

/** A protocol on a network whose messages have at most a certain length; a longer one is an error of the protocol. */
final class LimitedProtocol extends DelegatingProtocol {
    private final int maxCallBytes;

    LimitedProtocol(Protocol protocol, int maxCallBytes) {
        super(protocol);
        this.maxCallBytes = maxCallBytes;
    }

    @Override
    public void serve(WorkerContext c) {
        super.serve(limited(c));
    }

    @Override
    public Coordinator coordinator(WorkerContext c, Transaction txn) {
        return super.coordinator(limited(c), txn);
    }

    private WorkerContext limited(WorkerContext c) {
        return c.withEndpoint(new LimitedEndpoint(c.endpoint()));
    }

    private final class LimitedEndpoint extends DelegatingEndpoint {
        private LimitedEndpoint(Endpoint endpoint) {
            super(endpoint, UnaryOperator.identity());
        }

        @Override
        public void call(
                int peer,
                int rpcId,
                long requestOffset,
                int requestBytes,
                long replyOffset,
                int replyBytes,
                Completion completion) {
            if (Math.max(requestBytes, replyBytes) > maxCallBytes) {
                throw new IllegalArgumentException("a request or a reply has at most " + maxCallBytes + " bytes, got "
                        + requestBytes + " and " + replyBytes);
            }
            super.call(peer, rpcId, requestOffset, requestBytes, replyOffset, replyBytes, completion);
        }

        @Override
        public int maxCallBytes() {
            return maxCallBytes;
        }
    }
}
