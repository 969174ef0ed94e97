package dev.rcc.transport.verbs;

import dev.rcc.transport.verbs.ibv.Access;
import dev.rcc.transport.verbs.ibv.CompletionQueue;
import dev.rcc.transport.verbs.ibv.PortPath;
import dev.rcc.transport.verbs.ibv.QpSize;
import dev.rcc.transport.verbs.ibv.QueuePair;
import dev.rcc.transport.verbs.ibv.RcPath;
import dev.rcc.transport.verbs.ibv.RcTimers;
import dev.rcc.transport.verbs.ibv.VerbsException;
import dev.rcc.transport.verbs.rpc.RpcTransport;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the queue pairs of links, connects them with the peer's, and ends them. {@link Linker} decides when. */
final class LinkMaker implements Linker.Maker {
    private static final Logger LOG = LoggerFactory.getLogger(LinkMaker.class);

    /** 0.64 ms; never used, as no request is sent that needs a receive. */
    private static final int RNR_TIMER = 12;

    private static final int RNR_RETRIES = 7;
    /** The field's highest value, well above the limits of devices. */
    private static final int READS_MAX = 128;
    /** The time between two checks whether the node leaves. */
    private static final long LOOK_MILLIS = 100;

    private final VerbsFabric fabric;
    private final VerbsOptions options;
    private final int node;
    private final Hello own;
    private final RcTimers timers;
    private final SplittableRandom random;
    private int incarnations;
    /** The inline bytes to ask of new queue pairs; less once the device has refused. */
    private int inlineBytes = VerbsEndpoint.INLINE_BYTES;

    /**
     * Makes links of a node.
     *
     * @param own the node's description of itself
     */
    LinkMaker(VerbsFabric fabric, VerbsOptions options, int node, Hello own) {
        this.fabric = fabric;
        this.options = options;
        this.node = node;
        this.own = own;
        this.timers = new RcTimers(options.ackTimeout(), options.retries(), RNR_RETRIES, RNR_TIMER);
        this.random = new SplittableRandom(own.incarnation() * 31 + node);
    }

    @Override
    public Hello own() {
        return own;
    }

    /** {@inheritDoc} Its queue pairs, one or more for each slot, are in INIT. */
    @Override
    public PeerLink make(int peer, int attempt, Hello hello) {
        checkFits(peer, hello);
        PeerLink link = new PeerLink(
                peer,
                attempt,
                ++incarnations,
                hello.incarnation(),
                hello.regions(),
                Math.max(own.workers(), hello.workers()),
                options.qpsPerPeer());
        try {
            for (int slot = 0; slot < link.slots(); slot++) {
                for (int i = 0; i < options.qpsPerPeer(); i++) {
                    Connection connection = connection(link, slot, i);
                    link.connections(slot)[i] = connection;
                    connection.qp().toInit(options.port(), Access.ALL);
                }
            }
        } catch (RuntimeException e) {
            for (int slot = 0; slot < link.slots(); slot++) {
                close(link.connections(slot)); // the attempt is repeated, and would take more and more of them
            }
            throw e;
        }
        return link;
    }

    private Connection connection(PeerLink link, int slot, int i) {
        VerbsEndpoint[] endpoints = fabric.endpoints();
        boolean active = slot < endpoints.length;
        int depth = active ? fabric.sendWrs() : 1;
        var cq = active ? endpoints[slot].cq() : fabric.passiveCq();
        QueuePair qp = createRc(cq, depth, active ? inlineBytes : 0);
        return new Connection(
                link,
                qp,
                link.peer() * options.qpsPerPeer() + i,
                link.incarnation(),
                active ? endpoints[slot].wrs() : null,
                depth,
                Math.min(qp.size().inlineBytes(), VerbsEndpoint.INLINE_BYTES),
                new CompletionWatch(options.completionNanos()));
    }

    /** Makes a queue pair. If the device refuses it, but not one with room for only a word inline, all later ones have that much. */
    private QueuePair createRc(CompletionQueue cq, int depth, int inline) {
        try {
            return fabric.pd().createRc(cq, cq, new QpSize(depth, 1, 1, 1, inline), false);
        } catch (VerbsException e) {
            if (inline <= Long.BYTES) {
                throw e;
            }
            QueuePair smaller = createRc(cq, depth, Long.BYTES);
            LOG.debug("node {}: no queue pair with {} bytes inline", node, inline, e);
            inlineBytes = Long.BYTES;
            return smaller;
        }
    }

    /** Closes queue pairs that no worker uses; of those that could not be made there are none. */
    private static void close(Connection[] connections) {
        for (Connection connection : connections) {
            if (connection != null) {
                connection.qp().close();
            }
        }
    }

    /** {@inheritDoc} These are the attempt, and each queue pair's number with its first packet's sequence number. */
    @Override
    public byte[] numbers(PeerLink link) {
        ByteBuffer to = ByteBuffer.allocate((1 + 2 * link.slots() * options.qpsPerPeer()) * Integer.BYTES);
        to.putInt(link.attempt());
        for (int slot = 0; slot < link.slots(); slot++) {
            for (Connection connection : link.connections(slot)) {
                connection.startWith(random.nextInt() & QueuePair.PSN_MASK);
                to.putInt(connection.qp().number()).putInt(connection.psn());
            }
        }
        return to.array();
    }

    @Override
    public void connect(PeerLink link, Hello hello, ByteBuffer numbers) {
        PortPath port = new PortPath(
                options.port(),
                fabric.gid(),
                hello.lid(),
                hello.gidHigh(),
                hello.gidLow(),
                hello.ethernet() || hello.gidHigh() != fabric.gid().high(),
                options.trafficClass(),
                options.serviceLevel());
        int mtuBytes = Math.min(own.mtuBytes(), hello.mtuBytes());
        int accepted = Math.min(READS_MAX, Math.min(own.readsAccepted(), hello.readsIssued()));
        int issued = Math.min(READS_MAX, Math.min(own.readsIssued(), hello.readsAccepted()));
        for (int slot = 0; slot < link.slots(); slot++) {
            for (Connection connection : link.connections(slot)) {
                int remoteNumber = numbers.getInt();
                int remotePsn = numbers.getInt();
                connection.qp().toReadyToReceive(new RcPath(port, mtuBytes, remoteNumber, remotePsn, accepted), timers);
                connection.qp().toReadyToSend(connection.psn(), issued, timers);
            }
        }
    }

    @Override
    public RpcTransport.Prepared prepareCalls(PeerLink link, Hello hello) {
        return fabric.rpc().prepare(link.peer(), link.attempt(), hello.rpcDescription());
    }

    @Override
    public void end(PeerLink link) {
        if (link.isCallable()) {
            fabric.rpc().disconnect(link.peer());
        }
        VerbsEndpoint[] endpoints = fabric.endpoints();
        for (int slot = 0; slot < link.slots(); slot++) {
            if (slot < endpoints.length) {
                VerbsEndpoint endpoint = endpoints[slot];
                endpoint.worker().execute(() -> endpoint.abandon(link));
            } else {
                close(link.connections(slot));
            }
        }
    }

    /** {@inheritDoc} Each worker closes a link's queue pairs in a task, and has run it once it runs a later one. */
    @Override
    public void awaitEnds() {
        VerbsEndpoint[] endpoints = fabric.endpoints();
        CountDownLatch turns = new CountDownLatch(endpoints.length);
        for (VerbsEndpoint endpoint : endpoints) {
            endpoint.worker().execute(turns::countDown);
        }
        boolean interrupted = false;
        while (!fabric.isClosed()) {
            try {
                if (turns.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                    break;
                }
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void checkFits(int peer, Hello hello) {
        check(peer, "qps-per-peer", own.qpsPerPeer(), hello.qpsPerPeer());
        check(peer, "rpc", own.rpc(), hello.rpc());
        check(peer, "link", own.ethernet() ? "Ethernet" : "InfiniBand", hello.ethernet() ? "Ethernet" : "InfiniBand");
    }

    private void check(int peer, String what, Object mine, Object theirs) {
        if (!mine.equals(theirs)) {
            throw new IllegalArgumentException("node " + peer + " has " + what + " " + theirs + ", node " + node
                    + " has " + mine + ": they must be the same on all nodes");
        }
    }
}
