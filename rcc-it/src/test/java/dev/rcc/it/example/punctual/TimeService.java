package dev.rcc.it.example.punctual;

import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.worker.Alarm;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Coroutine;

/**
 * Synchronises a node's {@link NodeTime} with the reference's by Cristian's algorithm: a node that requests the time knows it up to half of
 * the round trip's duration. Each worker answers; a node's first worker sends a request at each beat.
 */
final class TimeService {
    /** Requests a node's time. The reply: the configuration in which that node is the reference, or {@link #NONE}; and the time. */
    private static final int TIME = 3;

    private static final int REPLY_BYTES = 2 * Memory.WORD_BYTES;
    private static final long NONE = -1;
    private static final long BEAT_NANOS = 1_000_000;

    private final WorkerContext context;
    private final NodeTime time;
    private final long buffer;
    private Alarm alarm;
    /** Belongs to the alarm's coroutine. */
    private Completion completion;

    TimeService(WorkerContext context) {
        this.context = context;
        this.time = context.nodeState(NodeTime.class);
        this.buffer = context.serviceBuffer().keep(REPLY_BYTES);
    }

    /** Registers the handler; on the node's first worker, also starts the requests. */
    void serve() {
        context.endpoint().handle(TIME, this::answer);
        if (context.worker().index() == 0) {
            alarm = new Alarm(context.worker(), context.serviceCoroutine(), BEAT_NANOS, this::beat);
            alarm.in(0);
        }
    }

    private void answer(RpcRequest request) {
        Memory response = request.response();
        NodeTime.Known known = time.known();
        response.putLong(request.responseOffset(), known.isOwn() ? known.configEpoch() : NONE);
        response.putLong(
                request.responseOffset() + Memory.WORD_BYTES, context.clock().nanos());
        request.reply(REPLY_BYTES);
    }

    private void beat(Coroutine coroutine) {
        NodeTime.Known known = time.known();
        if (known.reference() >= 0 && !known.isOwn()) {
            ask(known.reference(), coroutine);
        }
        alarm.in(BEAT_NANOS);
    }

    private void ask(int reference, Coroutine coroutine) {
        if (completion == null) {
            completion = new Completion(coroutine);
        }
        long begun = context.worker().nanoTime();
        context.endpoint().call(reference, TIME, buffer, 0, buffer, REPLY_BYTES, completion);
        if (!completion.await()) {
            return; // the next configuration has another reference
        }
        long ended = context.worker().nanoTime();
        long configEpoch = context.buffers().getLong(buffer);
        long answer = context.buffers().getLong(buffer + Memory.WORD_BYTES);
        if (configEpoch != NONE) {
            long half = (ended - begun + 1) / 2;
            time.learn(configEpoch, answer + half - ended, half, ended);
        }
    }
}
