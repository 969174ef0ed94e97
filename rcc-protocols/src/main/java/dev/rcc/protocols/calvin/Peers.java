package dev.rcc.protocols.calvin;

import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.worker.Completion;

/**
 * The nodes that this worker has found dead. It finds them by any request that it posts and, while it waits for anything at all, by a
 * probe of every peer from time to time: so no wait for a dead node is for ever. A node that was found dead stays so until the next
 * configuration, whether it is a member of that or not: all workers of all members begin a configuration with the same view. If only a link
 * has failed, no other node would bring about the next configuration, so this worker asks for it.
 *
 * <p>A message may be lost on a link that works. Then one of two nodes has found the other dead and sends it nothing more, and the other would wait
 * for ever. So a node reports what a worker has found: to its other workers, and to the node that was found dead. When that node probes, it finds
 * the first node dead, too.
 */
final class Peers {
    private static final long PROBE_NANOS = 2_000_000;

    private final WorkerContext context;
    private final CalvinLayout layout;
    private final Memory buffers;
    private final int self;
    /** By node: the mark of the last configuration in which it was found dead. */
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

    /** The mark of the nodes that are found dead in this configuration; not 0. */
    private long mark() {
        return context.gate().configEpoch() + 1;
    }

    /** How many times a node was found dead so far. */
    int deaths() {
        return deaths;
    }

    /** Returns false while requests are outstanding. Once none is, counts the nodes whose requests failed as dead, and returns true. */
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

    /** Whether no probe of this configuration is under way: the next one starts without its dead nodes. Nothing is posted or waited for. */
    boolean isSettled() {
        poll(false);
        return !probing;
    }

    /** Answers the probe of a peer: with the mark of the last configuration in which some worker of this node has found that peer dead. */
    void answer(RpcRequest probe) {
        probe.response().putLong(probe.responseOffset(), buffers.getAcquire(layout.deadOffset(probe.caller())));
        probe.reply(Memory.WORD_BYTES);
    }

    /** Probes the peers if the worker waits for something and a probe is due. */
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

    /** Counts the peers that have found this node dead as dead: they send it nothing any more. */
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

    /** Notes that a node was found dead. */
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
