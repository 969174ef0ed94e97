package dev.rcc.transport.verbs;

import dev.rcc.transport.PeerGates;
import dev.rcc.transport.control.Control;
import dev.rcc.transport.verbs.ibv.Access;
import dev.rcc.transport.verbs.ibv.CompletionQueue;
import dev.rcc.transport.verbs.ibv.PortPath;
import dev.rcc.transport.verbs.ibv.QpSize;
import dev.rcc.transport.verbs.ibv.QueuePair;
import dev.rcc.transport.verbs.ibv.RcPath;
import dev.rcc.transport.verbs.ibv.RcTimers;
import dev.rcc.transport.verbs.ibv.VerbsException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes links to peers as they come, and ends them as they go or as a connection breaks. Of two nodes the one with the lower
 * number leads:
 *
 * <pre>
 *  lower                                                                higher
 *    |  &lt;--- KNOCK: I have started, or my link is broken ------------------  |
 *    |  ---- HELLO: workers, regions, port -------------------------------&gt;  |
 *    |  &lt;--- likewise, or nothing if it has not started ------------------- |
 *    |  makes its queue pairs                                                |
 *    |  ---- CONNECT: their numbers --------------------------------------&gt;  |  makes and connects its own
 *    |  &lt;--- their numbers ------------------------------------------------ |
 *    |  connects its own                                                     |
 *    |  ---- READY ----------------------------------------------------------&gt;  |  uses the link
 *    |  &lt;------------------------------------------------------------------- |
 *    |  uses the link                                                        |
 * </pre>
 *
 * Either side uses a link only when both ends are connected. Whatever goes wrong on the way, the link is dropped and made
 * anew soon, unless the peer is gone. Everything here happens under one lock, on the threads of the control channel and of
 * {@link #later}; workers only take and leave what was made.
 */
final class Linker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Linker.class);

    private static final String TOPIC = "verbs";
    private static final byte KNOCK = 1;
    private static final byte HELLO = 2;
    private static final byte CONNECT = 3;
    private static final byte READY = 4;
    private static final byte[] NOTHING = {};

    private static final long RETRY_MILLIS = 100;
    /** 0.64 ms: nothing is sent that needs a receive, so this never counts. */
    private static final int RNR_TIMER = 12;

    private static final int RNR_RETRIES = 7;
    /** Highest that the field takes, well above what devices have. */
    private static final int READS_MAX = 128;

    private final VerbsFabric fabric;
    private final Control control;
    private final VerbsOptions options;
    private final PeerGates gates;
    private final int node;
    private final RcTimers timers;
    private final Executor later = CompletableFuture.delayedExecutor(RETRY_MILLIS, TimeUnit.MILLISECONDS);
    private final SplittableRandom random;

    private final Object lock = new Object();
    private final Peer[] peers;
    private Hello own;
    private int lives;
    /** What a work request may carry itself, as far as is known. */
    private int inlineBytes = VerbsEndpoint.INLINE_BYTES;

    private boolean closed;

    /** What is known of a peer. Under the lock. */
    private static final class Peer {
        /** Whether the control channel has it. */
        private boolean up;
        /** What it said last. */
        private Hello hello;
        /** The link that is being made, or null. */
        private PeerLink making;
        /** The link that is in use, or null. */
        private PeerLink using;
        /** Number of the last attempt to make a link, as the lower side counts them; 0 if there was none. */
        private int attempt;
        /** Whether the lower side is at it. */
        private boolean attempting;
        /** Whether somebody wanted a link while the lower side was at it, which may have been too early. */
        private boolean wanted;
        /** Why the last attempt failed, or null. */
        private String complaint;
        /** Whether calls can go to it. */
        private boolean callable;
    }

    Linker(VerbsFabric fabric, Control control, VerbsOptions options, PeerGates gates) {
        this.fabric = fabric;
        this.control = control;
        this.options = options;
        this.gates = gates;
        this.node = control.node();
        this.timers = new RcTimers(options.ackTimeout(), options.retries(), RNR_RETRIES, RNR_TIMER);
        this.random = new SplittableRandom(control.incarnation() * 31 + node);
        this.peers = new Peer[control.nodes()];
        for (int peer = 0; peer < peers.length; peer++) {
            peers[peer] = new Peer();
        }
        control.serve(TOPIC, this::answer);
        control.listen(new Control.Listener() {
            @Override
            public void up(int peer, long incarnation) {
                peerUp(peer);
            }

            @Override
            public void down(int peer) {
                peerDown(peer);
            }
        });
    }

    /** Lets the peers in. */
    void start(Hello hello) {
        synchronized (lock) {
            own = hello;
            linkItself();
            for (int peer = 0; peer < peers.length; peer++) {
                if (peers[peer].up) {
                    begin(peer);
                }
            }
        }
    }

    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
            for (int peer = 0; peer < peers.length; peer++) {
                fabric.publish(peer, null);
            }
        }
    }

    /** A connection to a peer does not work any more. Called on the worker that found it out. */
    void broken(PeerLink link, int worker, String reason) {
        int peer = link.peer();
        CompletableFuture<?> _ = CompletableFuture.runAsync(() -> {
            synchronized (lock) {
                if (!closed && peers[peer].using == link) {
                    LOG.warn(
                            "event=connection_broken node={} worker={} peer={}: {}; it is made anew",
                            node,
                            worker,
                            peer,
                            reason);
                    drop(peer);
                    retry(peer);
                }
            }
        });
    }

    // Peers that are cut off.

    /** Closes the gate of a peer; whatever it has posted has taken effect, or never will, when this returns. */
    void fence(int peer) {
        gates.close(peer);
        CountDownLatch turns;
        synchronized (lock) {
            peers[peer].hello = null;
            drop(peer);
            // The peer gives the link up at once if it hears of it, and else when the device has got no answer for long
            // enough.
            if (peers[peer].up && !closed) {
                knock(
                        peer,
                        failure -> LOG.debug("node {}: node {} is not told that it is cut off", node, peer, failure));
            }
            VerbsEndpoint[] endpoints = fabric.endpoints();
            turns = new CountDownLatch(endpoints.length);
            for (VerbsEndpoint endpoint : endpoints) {
                endpoint.worker().execute(turns::countDown); // behind what ends the link there
            }
        }
        boolean interrupted = false;
        while (!fabric.isClosed()) {
            try {
                if (turns.await(RETRY_MILLIS, TimeUnit.MILLISECONDS)) {
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

    /** Opens the gate of a peer for one of its lives, and closes it for all others. */
    void admit(int peer, long incarnation) {
        gates.admit(peer, incarnation);
        synchronized (lock) {
            if (isOfAnother(peers[peer].making, incarnation) || isOfAnother(peers[peer].using, incarnation)) {
                drop(peer);
            }
            if (peers[peer].up && own != null) {
                begin(peer);
            }
        }
    }

    private static boolean isOfAnother(PeerLink link, long incarnation) {
        return link != null && link.peerIncarnation() != incarnation;
    }

    // Peers that come and go.

    private void peerUp(int peer) {
        synchronized (lock) {
            peers[peer].up = true;
            if (own != null) {
                begin(peer);
            }
        }
    }

    private void peerDown(int peer) {
        synchronized (lock) {
            peers[peer].up = false;
            if (peer != node && !closed) {
                // Answers that are still on their way are void, as those to an attempt that is not the last. The lower
                // side
                // counts anew if it was restarted.
                peers[peer].attempt = peer > node ? peers[peer].attempt + 1 : 0;
                drop(peer);
            }
        }
    }

    /** Gets the making of a link going, or asks the peer to. */
    private void begin(int peer) {
        Peer state = peers[peer];
        if (peer == node || closed || gates.isClosed(peer) || state.using != null || state.making != null) {
            return;
        }
        if (peer < node) {
            knock(peer, failure -> failed(peer, KNOCK, failure));
            return;
        }
        if (state.attempting) {
            state.wanted = true;
            return;
        }
        state.attempting = true;
        int attempt = ++state.attempt;
        ask(peer, HELLO, own.encode(), attempt, answer -> {
            if (answer.hasRemaining()) {
                greeted(peer, Hello.decode(answer), attempt);
            } else { // it has not started, and will knock when it has, if it has not done so already
                boolean knocked = state.wanted;
                settle(state);
                if (knocked) {
                    begin(peer);
                }
            }
        });
    }

    private void knock(int peer, Consumer<Throwable> onFailure) {
        byte[] knock = question(KNOCK, number(peers[peer].attempt));
        CompletableFuture<?> _ = control.ask(peer, TOPIC, knock).whenComplete((answer, failure) -> {
            if (failure != null) {
                onFailure.accept(failure);
            }
        });
    }

    private static void settle(Peer state) {
        state.attempting = false;
        state.wanted = false;
    }

    private void retry(int peer) {
        later.execute(() -> {
            synchronized (lock) {
                if (peers[peer].up) {
                    begin(peer);
                }
            }
        });
    }

    private void failed(int peer, byte step, Throwable failure) {
        synchronized (lock) {
            Peer state = peers[peer];
            if (closed || !state.up) {
                return;
            }
            String reason = failure.toString();
            if (!reason.equals(state.complaint)) { // what stays wrong is tried on, but said once
                state.complaint = reason;
                LOG.warn(
                        "event=connect_failed node={} peer={} step={}: it is tried again: {}",
                        node,
                        peer,
                        step,
                        reason);
            }
            retry(peer);
        }
    }

    private static byte[] question(byte step, byte[] content) {
        byte[] question = new byte[1 + content.length];
        question[0] = step;
        System.arraycopy(content, 0, question, 1, content.length);
        return question;
    }

    private static byte[] number(int number) {
        byte[] bytes = new byte[Integer.BYTES];
        ByteBuffer.wrap(bytes).putInt(number);
        return bytes;
    }

    // The lower side.

    private void greeted(int peer, Hello hello, int attempt) {
        if (!gates.lets(peer, hello.incarnation())) { // its being admitted begins anew, and so does its next life
            settle(peers[peer]);
            return;
        }
        PeerLink link = make(peer, hello);
        ask(peer, CONNECT, numbers(link, attempt), attempt, answer -> {
            connect(link, hello, answer);
            ask(peer, READY, number(attempt), attempt, nothing -> use(link));
        });
    }

    /** Asks; the answer is handled under the lock, unless something has happened meanwhile that makes it void. */
    private void ask(int peer, byte step, byte[] content, int attempt, AnswerHandler handler) {
        CompletableFuture<?> _ = control.ask(peer, TOPIC, question(step, content))
                .whenComplete((answer, failure) -> {
                    Throwable wrong = failure;
                    synchronized (lock) {
                        if (closed || peers[peer].attempt != attempt || !peers[peer].up) {
                            return;
                        }
                        if (wrong == null) {
                            try {
                                handler.handle(ByteBuffer.wrap(answer));
                            } catch (RuntimeException e) {
                                wrong = e;
                            }
                        }
                        if (wrong != null) {
                            drop(peer);
                            failed(peer, step, wrong);
                        }
                    }
                });
    }

    @FunctionalInterface
    private interface AnswerHandler {
        void handle(ByteBuffer answer);
    }

    // The higher side.

    private byte[] answer(int peer, byte[] question) {
        ByteBuffer from = ByteBuffer.wrap(question);
        byte step = from.get();
        synchronized (lock) {
            if (own == null || closed) {
                return NOTHING;
            }
            return switch (step) {
                case KNOCK -> knocked(peer, from);
                case HELLO -> greeted(peer, from);
                case CONNECT -> connected(peer, from);
                case READY -> ready(peer, from);
                default -> throw new IllegalArgumentException("no step " + step);
            };
        }
    }

    private byte[] knocked(int peer, ByteBuffer from) {
        // It has no link, or not any more that of its last attempt. A later one, if there is, stands.
        if (peers[peer].attempt == from.getInt() && peers[peer].using != null) {
            drop(peer);
        }
        if (peers[peer].up) {
            begin(peer);
        }
        return NOTHING;
    }

    private byte[] greeted(int peer, ByteBuffer from) {
        Hello hello = Hello.decode(from);
        if (!gates.lets(peer, hello.incarnation())) {
            return NOTHING;
        }
        peers[peer].hello = hello;
        checkFits(peer, hello);
        return own.encode();
    }

    private byte[] connected(int peer, ByteBuffer from) {
        Hello hello = peers[peer].hello;
        if (hello == null) {
            throw new IllegalStateException("HELLO comes first");
        }
        if (!gates.lets(peer, hello.incarnation())) {
            throw new IllegalStateException("node " + peer + " is cut off");
        }
        drop(peer);
        PeerLink link = make(peer, hello);
        int attempt = from.getInt();
        from.rewind().get();
        byte[] numbers = numbers(link, attempt);
        try {
            connect(link, hello, from);
        } catch (RuntimeException e) {
            drop(peer);
            throw e;
        }
        peers[peer].attempt = attempt;
        return numbers;
    }

    private byte[] ready(int peer, ByteBuffer from) {
        PeerLink link = peers[peer].making;
        if (link == null || peers[peer].attempt != from.getInt()) {
            throw new IllegalStateException("the link was dropped meanwhile");
        }
        use(link);
        return NOTHING;
    }

    // Both sides. All under the lock.

    /** Makes a link with queue pairs for all its slots, in INIT. */
    private PeerLink make(int peer, Hello hello) {
        checkFits(peer, hello);
        PeerLink link = new PeerLink(
                peer,
                ++lives,
                hello.incarnation(),
                hello.regions(),
                Math.max(own.workers(), hello.workers()),
                options.qpsPerPeer());
        peers[peer].making = link;
        VerbsEndpoint[] endpoints = fabric.endpoints();
        for (int slot = 0; slot < link.slots(); slot++) {
            for (int i = 0; i < options.qpsPerPeer(); i++) {
                boolean active = slot < endpoints.length;
                int depth = active ? fabric.sendWrs() : 1;
                var cq = active ? endpoints[slot].cq() : fabric.passiveCq();
                QueuePair qp = createRc(cq, depth, active ? inlineBytes : 0);
                qp.toInit(options.port(), Access.ALL);
                link.connections(slot)[i] = new Connection(
                        link,
                        qp,
                        peer * options.qpsPerPeer() + i,
                        link.life(),
                        active ? endpoints[slot].wrs() : null,
                        depth,
                        Math.min(qp.size().inlineBytes(), VerbsEndpoint.INLINE_BYTES));
            }
        }
        return link;
    }

    /** Makes a queue pair, from the first refusal on for words inline only. */
    private QueuePair createRc(CompletionQueue cq, int depth, int inline) {
        try {
            return fabric.pd().createRc(cq, cq, new QpSize(depth, 1, 1, 1, inline), false);
        } catch (VerbsException e) {
            if (inline <= Long.BYTES) {
                throw e;
            }
            LOG.debug("node {}: no queue pair with {} bytes inline", node, inline, e);
            inlineBytes = Long.BYTES;
            return createRc(cq, depth, inlineBytes);
        }
    }

    /** The numbers by which a link's queue pairs are found, and those that their packets begin with. */
    private byte[] numbers(PeerLink link, int attempt) {
        ByteBuffer to = ByteBuffer.allocate((1 + 2 * link.slots() * options.qpsPerPeer()) * Integer.BYTES);
        to.putInt(attempt);
        for (int slot = 0; slot < link.slots(); slot++) {
            for (Connection connection : link.connections(slot)) {
                connection.startWith(random.nextInt() & QueuePair.PSN_MASK);
                to.putInt(connection.qp().number()).putInt(connection.psn());
            }
        }
        return to.array();
    }

    /** Connects a link's queue pairs with the peer's, whose numbers came. */
    private void connect(PeerLink link, Hello hello, ByteBuffer numbers) {
        numbers.getInt(); // the attempt
        PortPath port = new PortPath(
                options.port(),
                fabric.gid(),
                hello.lid(),
                hello.gidHigh(),
                hello.gidLow(),
                hello.ethernet(),
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
        peers[link.peer()].callable = true;
        fabric.rpc().connect(link.peer(), hello.rpcDescription());
    }

    private void use(PeerLink link) {
        Peer peer = peers[link.peer()];
        if (peer.making == link) {
            settle(peer);
            peer.complaint = null;
            peer.making = null;
            peer.using = link;
            fabric.publish(link.peer(), link);
            LOG.debug("node {}: linked with node {}", node, link.peer());
        }
    }

    private void linkItself() {
        PeerLink link = make(node, own);
        ByteBuffer numbers = ByteBuffer.wrap(numbers(link, 0));
        connect(link, own, numbers);
        use(link);
    }

    /** Ends whatever link there is to a peer, or is being made: what is outstanding on it fails, on the workers. */
    private void drop(int peer) {
        Peer state = peers[peer];
        fabric.publish(peer, null);
        List<PeerLink> ended = new ArrayList<>();
        if (state.making != null) {
            ended.add(state.making);
        }
        if (state.using != null) {
            ended.add(state.using);
        }
        state.making = null;
        state.using = null;
        settle(state);
        if (state.callable) {
            state.callable = false;
            fabric.rpc().disconnect(peer);
        }
        VerbsEndpoint[] endpoints = fabric.endpoints();
        for (PeerLink link : ended) {
            for (int slot = 0; slot < link.slots(); slot++) {
                if (slot < endpoints.length) {
                    VerbsEndpoint endpoint = endpoints[slot];
                    endpoint.worker().execute(() -> endpoint.abandon(link));
                } else {
                    for (Connection connection : link.connections(slot)) {
                        connection.qp().close();
                    }
                }
            }
        }
    }

    private void checkFits(int peer, Hello hello) {
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
