package dev.rcc.protocols.calvin;

import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.worker.Completion;
import java.util.Arrays;

/**
 * Which nodes this worker has found dead. It finds out by whatever it posts, and while it waits for anything at all, by a
 * probe of every peer from time to time: so no wait for a dead node is for ever. A node that was found dead stays so until the next
 * configuration, of which it is a member or not: all workers of all members begin that with the same opinion. If it was only a link
 * that failed, nobody else would bring about that configuration, so this worker asks for it.
 */
final class Peers {
    private static final long PROBE_NANOS = 2_000_000;

    private final WorkerContext context;
    private final long probeOffset;
    private final boolean[] dead;
    private final Completion probes = new Completion(null);
    private boolean probing;
    private boolean waiting;
    private long nextProbeNanos;
    private int deaths;

    Peers(WorkerContext context, CalvinLayout layout) {
        this.context = context;
        this.probeOffset = layout.probeOffset(context.worker().index());
        this.dead = new boolean[context.shape().nodes()];
    }

    boolean isDead(int node) {
        return dead[node] || context.logTails().isLost(node);
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
            die(completion.failedPeer());
        }
        return true;
    }

    /** Nothing is posted, nor waited for: forgets who was found dead, and leaves it to the next configuration; false if it has to wait. */
    boolean forget() {
        poll(false);
        if (probing) {
            return false;
        }
        Arrays.fill(dead, false);
        return true;
    }

    /** Probes the peers if something is waited for and it is time to. */
    void poll(boolean somethingIsWaitedFor) {
        if (probing && settle(probes)) {
            probing = false;
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
            probe();
        }
    }

    private void probe() {
        for (int node = 0; node < dead.length; node++) {
            if (!isDead(node) && node != context.worker().node()) {
                context.endpoint().call(node, CalvinParticipant.PROBE, probeOffset, 0, probeOffset, 0, probes);
                probing = true;
            }
        }
    }

    /** A node was found dead. */
    void die(int node) {
        if (!dead[node]) {
            dead[node] = true;
            deaths++;
            if (!context.gate().isLost(node)) {
                context.gate().askForSweep();
            }
        }
    }
}
