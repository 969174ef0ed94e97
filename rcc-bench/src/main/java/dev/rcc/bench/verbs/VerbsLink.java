package dev.rcc.bench.verbs;

import dev.rcc.bench.verbs.VerbsTest.Measure;
import dev.rcc.bench.verbs.VerbsTest.Verb;
import dev.rcc.transport.verbs.ibv.Access;
import dev.rcc.transport.verbs.ibv.CompletionQueue;
import dev.rcc.transport.verbs.ibv.MemoryRegion;
import dev.rcc.transport.verbs.ibv.PortPath;
import dev.rcc.transport.verbs.ibv.QpSize;
import dev.rcc.transport.verbs.ibv.QueuePair;
import dev.rcc.transport.verbs.ibv.RcPath;
import dev.rcc.transport.verbs.ibv.RcTimers;
import dev.rcc.transport.verbs.ibv.RecvWrs;
import dev.rcc.transport.verbs.ibv.SendFlags;
import dev.rcc.transport.verbs.ibv.SendWrs;
import dev.rcc.transport.verbs.ibv.WorkCompletions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;

/**
 * One side of a connection on which one test is measured, and the measuring loops: those of perftest's {@code run_iter_*}
 * functions, on RCC's queue pairs. They post one message at a time, poll without pause, and fill every work request anew,
 * as RCC's data path does.
 *
 * <pre>
 *  memory:  | data sent, or the result of a READ or an atomic  |  data the other side writes, sends or reads    |
 *           0                                                 half                                             end
 * </pre>
 *
 * Used by one thread. The loops may be run again and again, if both sides run them.
 */
final class VerbsLink implements AutoCloseable {
    /** A small message's place moves by cache lines through so many bytes: perftest's "cycle buffer". */
    private static final int CYCLE_BYTES = 4096;

    private static final int LINE_BYTES = 64;
    private static final int POLL_BATCH = 16;
    private static final int PSN = 0x123456;
    /** perftest's timers: 67 ms, 7 retries, 7 for ever, 0.64 ms. */
    private static final RcTimers TIMERS = new RcTimers(14, 7, 7, 12);

    private static final long LIMIT_SECONDS = 30;
    private static final int POLLS_BETWEEN_LOOKS = 1 << 16;
    private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();

    private final VerbsTest test;
    private final int bytes;
    private final boolean isInline;
    private final VerbsSide side;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory;
    private final int half;
    private final MemoryRegion region;
    private final CompletionQueue sendCq;
    private final CompletionQueue receiveCq;
    private final QueuePair queuePair;
    private final SendWrs wrs;
    private final RecvWrs receives = new RecvWrs(1);
    private final WorkCompletions one = new WorkCompletions(1);
    private final WorkCompletions several = new WorkCompletions(POLL_BATCH);
    private final int depth;

    private LinkAddress remote;
    private byte sentMark;
    private byte receivedMark;
    private int receivedAhead;
    private int polls;
    private long deadlineNanos;

    VerbsLink(VerbsSide side, VerbsTest test, int bytes, int inlineBytes) {
        this.side = side;
        this.test = test;
        this.bytes = bytes;
        this.isInline = test.measure() == Measure.LATENCY && bytes <= inlineBytes;
        this.half = Math.max(CYCLE_BYTES, (bytes + LINE_BYTES - 1) & -LINE_BYTES);
        this.memory = arena.allocate(2L * half, CYCLE_BYTES);
        this.region = side.pd().register(memory, Access.ALL);
        this.depth = test.measure() == Measure.RATE ? VerbsBenchConfig.QUEUE_DEPTH : 1;
        int receiveDepth = test.verb() == Verb.SEND ? VerbsBenchConfig.RECEIVE_DEPTH : 1;
        this.sendCq = side.device().createCq(depth, null, 0);
        this.receiveCq = side.device().createCq(receiveDepth, null, 0);
        this.queuePair = side.pd()
                .createRc(sendCq, receiveCq, new QpSize(depth, receiveDepth, 1, 1, isInline ? inlineBytes : 0), false);
        this.wrs = new SendWrs(1, isInline ? inlineBytes : 0);
        wrs.end(0);
        receives.end(0);
        queuePair.toInit(VerbsSide.PORT, Access.ALL);
        if (test.verb() == Verb.SEND) {
            for (int i = 0; i < receiveDepth; i++) {
                postReceive();
            }
        }
    }

    /** The data that the other side needs. */
    LinkAddress address() {
        return new LinkAddress(
                queuePair.number(),
                PSN,
                side.device().port(VerbsSide.PORT).lid(),
                side.gid().high(),
                side.gid().low(),
                region.base(),
                region.rkey());
    }

    void connect(LinkAddress other) {
        remote = other;
        boolean isGlobal = side.device().port(VerbsSide.PORT).ethernet();
        PortPath port =
                new PortPath(VerbsSide.PORT, side.gid(), other.lid(), other.gidHigh(), other.gidLow(), isGlobal, 0, 0);
        queuePair.toReadyToReceive(
                new RcPath(port, side.mtuBytes(), other.queuePair(), other.psn(), VerbsBenchConfig.OUTSTANDING_READS),
                TIMERS);
        queuePair.toReadyToSend(PSN, VerbsBenchConfig.OUTSTANDING_READS, TIMERS);
    }

    /**
     * Measures, on the side that is called the client.
     *
     * @param times room for as many times as there are iterations; a latency test stores there the time of each post
     * @return the duration in nanoseconds
     */
    long runClient(int iterations, long[] times) {
        deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        if (test.measure() == Measure.RATE) {
            return fullQueue(iterations);
        }
        long start = System.nanoTime();
        switch (test.verb()) {
            case READ, FETCH_ADD -> oneAtATime(iterations, times);
            case WRITE -> writeToAndFro(iterations, times, true);
            case SEND -> sendToAndFro(iterations, times, true);
        }
        return System.nanoTime() - start;
    }

    /** Runs the server's part of a test. */
    void runServer(int iterations, long[] times) {
        deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        switch (test) {
            case WRITE_LATENCY -> writeToAndFro(iterations, times, false);
            case SEND_LATENCY -> sendToAndFro(iterations, times, false);
            case SEND_RATE -> receive(iterations);
            default -> throw new AssertionError(test + " needs no server");
        }
    }

    /** {@code run_iter_lat}. */
    private void oneAtATime(int iterations, long[] times) {
        for (int i = 0; i < iterations; i++) {
            times[i] = System.nanoTime();
            post(0, SendFlags.SIGNALED);
            awaitOne(sendCq);
        }
    }

    /** {@code run_iter_lat_write}: a message has arrived when its last byte is there. */
    private void writeToAndFro(int iterations, long[] times, boolean isFirst) {
        for (int i = 0; i < iterations; i++) {
            if (i > 0 || !isFirst) {
                awaitByte();
            }
            times[i] = System.nanoTime();
            memory.set(ValueLayout.JAVA_BYTE, bytes - 1L, ++sentMark);
            post(0, SendFlags.SIGNALED);
            awaitOne(sendCq);
        }
        if (isFirst) {
            awaitByte();
        }
    }

    private void awaitByte() {
        receivedMark++;
        while ((byte) BYTE.getAcquire(memory, half + bytes - 1L) != receivedMark) {
            checkTime();
        }
    }

    /** {@code run_iter_lat_send}. */
    private void sendToAndFro(int iterations, long[] times, boolean isFirst) {
        for (int i = 0; i < iterations; i++) {
            if (i > 0 || !isFirst) {
                awaitMessage();
            }
            times[i] = System.nanoTime();
            post(0, SendFlags.SIGNALED);
            awaitOne(sendCq);
        }
        if (isFirst) {
            awaitMessage();
        }
    }

    private void awaitMessage() {
        awaitOne(receiveCq);
        postReceive();
    }

    /** {@code run_iter_bw}: one completion for every so many messages, and for the last. */
    private long fullQueue(int iterations) {
        long start = System.nanoTime();
        int sent = 0;
        int completed = 0;
        while (completed < iterations) {
            while (sent < iterations && sent - completed < depth) {
                boolean isSignalled =
                        sent % VerbsBenchConfig.MESSAGES_PER_COMPLETION == VerbsBenchConfig.MESSAGES_PER_COMPLETION - 1
                                || sent == iterations - 1;
                post(place(sent), isSignalled ? SendFlags.SIGNALED : 0);
                sent++;
            }
            int polled = poll(sendCq, several);
            for (int i = 0; i < polled; i++) {
                completed = Math.min(completed + VerbsBenchConfig.MESSAGES_PER_COMPLETION, iterations);
            }
        }
        return System.nanoTime() - start;
    }

    /** {@code run_iter_bw_server}. The client may have begun its next run: messages of the next run count there. */
    private void receive(int iterations) {
        int received = receivedAhead;
        while (received < iterations) {
            int polled = poll(receiveCq, several);
            for (int i = 0; i < polled; i++) {
                postReceive();
            }
            received += polled;
        }
        receivedAhead = received - iterations;
    }

    /** The place of message {@code i}, from the start of its half. */
    private int place(int i) {
        int step = (bytes + LINE_BYTES - 1) & -LINE_BYTES;
        return 2 * step > CYCLE_BYTES ? 0 : i % (CYCLE_BYTES / step) * step;
    }

    private void post(int place, int flags) {
        long local = memory.address() + place;
        long target = remote.buffer() + half + place;
        switch (test.verb()) {
            case READ -> wrs.read(0, 0, local, bytes, region.lkey(), target, remote.rkey(), flags);
            case WRITE -> wrs.write(0, 0, local, bytes, region.lkey(), target, remote.rkey(), flags);
            case FETCH_ADD -> wrs.fetchAdd(0, 0, local, region.lkey(), target, remote.rkey(), 1, flags);
            case SEND -> wrs.send(0, 0, local, bytes, region.lkey(), flags);
        }
        if (isInline && test.verb() != Verb.READ && test.verb() != Verb.FETCH_ADD) {
            wrs.inline(0, memory, place, bytes);
        }
        queuePair.postSend(wrs, 0);
    }

    private void postReceive() {
        receives.set(0, 0, memory.address() + half, half, region.lkey());
        queuePair.postRecv(receives, 0);
    }

    private void awaitOne(CompletionQueue queue) {
        int polled;
        do { // no pause, as in perftest; it costs much on an emulated processor
            polled = poll(queue, one);
        } while (polled == 0);
    }

    private int poll(CompletionQueue queue, WorkCompletions into) {
        int polled = queue.poll(into);
        for (int i = 0; i < polled; i++) {
            if (!into.isSuccess(i)) {
                throw new MeasurementFailed(test + ": a work request failed: " + into.status(i));
            }
        }
        if (polled == 0) {
            checkTime();
        }
        return polled;
    }

    private void checkTime() {
        if (++polls % POLLS_BETWEEN_LOOKS == 0 && System.nanoTime() - deadlineNanos > 0) {
            throw new MeasurementFailed(test + ": not done within " + LIMIT_SECONDS + " s, no completion or message");
        }
    }

    @Override
    public void close() {
        queuePair.close();
        sendCq.close();
        receiveCq.close();
        region.close();
        arena.close();
    }
}
