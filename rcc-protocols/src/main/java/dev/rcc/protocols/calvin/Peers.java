package dev.rcc.protocols.calvin;

import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.worker.Completion;

/**
 * Which nodes this worker has found dead. It finds out by whatever it posts, and while it waits for anything at all, by a
 * probe of every peer from time to time: so no wait for a dead node is for ever. A node that was found dead stays so until the next
 * configuration, of which it is a member or not: all workers of all members begin that with the same opinion. If it was only a link
 * that failed, no other node would bring about that configuration, so this worker asks for it.
 *
 * <p>A message may be lost on a link that is whole. Then one of two nodes has found the other one dead, which would wait for ever for what
 * that one does not send any more. So what a worker has found its node tells: to its other workers, and to the node itself, which
 * finds it dead, too, when it probes.
 */
final class Peers {
    private static final long PROBE_NANOS = 2_000_000;

    private final WorkerContext context;
    private final CalvinLayout layout;
    private final Memory buffers;
    private final int self;
    /** Of each node, the mark of the configuration in which it was found dead. */
    private final long[] deadIn;

    private final Completion probes = new Completion(null);
    private boolean probing;
    private boolean waiting;
    private long nextProbeNanos;
    private int deaths;

    Peers(WorkerContext context, CalvinLayout layout) {
        this.context = context;
        this.layout = layout;
        this.buffers = context.buffers();
        this.self = context.worker().node();
        this.deadIn = new long[context.shape().nodes()];
    }

    boolean isDead(int node) {
        return deadIn[node] == mark() || context.replication().isLost(node);
    }

    /** The mark of those that are found dead in this configuration; not 0. */
    private long mark() {
        return context.gate().configEpoch() + 1;
    }

    /** How many were found dead so far. */
    int deaths() {
        return deaths;
    }

    /** Takes in how requests ended, once none of them is outstanding; says whether that is so. */
    boolean settle(Completion completion) {
        if (completion.outstanding() > 0) {
            return false;
        }
        if (!completion.await()) {
            for (int node = 0; node < deadIn.length; node++) {
                if (completion.hasFailed(node)) {
                    die(node);
                }
            }
        }
        return true;
    }

    /** Nothing is posted, nor waited for: whether nothing of this configuration is under way, whose dead the next one does not know. */
    boolean isSettled() {
        poll(false);
        return !probing;
    }

    /** Answers the probe of a peer: with the mark of the last configuration in which some worker of this node has found that one dead. */
    void answer(RpcRequest probe) {
        probe.response().putLong(probe.responseOffset(), buffers.getAcquire(layout.deadOffset(probe.caller())));
        probe.reply(Memory.WORD_BYTES);
    }

    /** Probes the peers if something is waited for and it is time to. */
    void poll(boolean somethingIsWaitedFor) {
        if (probing && settle(probes)) {
            probing = false;
            takeAnswers();
        }
        if (!somethingIsWaitedFor) {
            waiting = false;
            return;
        }
        long now = context.worker().nanoTime();
        if (!waiting) {
            waiting = true;
            nextProbeNanos = now + PROBE_NANOS;
        } else if (!probing && now - nextProbeNanos >= 0) {
            nextProbeNanos = now + PROBE_NANOS;
            takeMarksOfOtherWorkers();
            probe();
        }
    }

    private void probe() {
        for (int node = 0; node < deadIn.length; node++) {
            if (!isDead(node) && node != self) {
                long answer = answerOffset(node);
                buffers.putLong(answer, 0);
                context.endpoint().call(node, CalvinParticipant.PROBE, answer, 0, answer, Memory.WORD_BYTES, probes);
                probing = true;
            }
        }
    }

    private long answerOffset(int node) {
        return layout.probeOffset(context.worker().index(), node);
    }

    /** A peer that has found this node dead sends it nothing any more. */
    private void takeAnswers() {
        for (int node = 0; node < deadIn.length; node++) {
            takeMark(node, answerOffset(node));
        }
    }

    private void takeMarksOfOtherWorkers() {
        for (int node = 0; node < deadIn.length; node++) {
            takeMark(node, layout.deadOffset(node));
        }
    }

    private void takeMark(int node, long offset) {
        if (buffers.getAcquire(offset) == mark()) {
            die(node);
        }
    }

    /** A node was found dead. */
    void die(int node) {
        if (deadIn[node] != mark()) {
            deadIn[node] = mark();
            deaths++;
            buffers.putRelease(layout.deadOffset(node), mark());
            if (!context.gate().isLost(node)) {
                context.gate().askForSweep();
            }
        }
    }
}
