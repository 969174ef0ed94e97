package dev.rcc.transport.verbs;

import dev.rcc.transport.PeerGates;
import dev.rcc.transport.PeerLinks;
import dev.rcc.transport.control.Control;
import dev.rcc.transport.verbs.rpc.RpcTransport;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes links to peers as they come, and ends them as they go or as a connection breaks. {@link PeerLinks} decides when, {@link LinkMaker}
 * makes the links' queue pairs; this class makes the two sides agree. Of two nodes the one with the lower number leads:
 *
 * <pre>
 *  lower                                                                higher
 *    |  &lt;--- NOTICE: it has started, or lost the link that it names --------  |
 *    |  ---- HELLO: workers, regions, port -------------------------------&gt;  |
 *    |  &lt;--- its own HELLO, or nothing if it has not started -------------- |
 *    |  makes its queue pairs                                                |
 *    |  ---- CONNECT: their numbers --------------------------------------&gt;  |  makes and connects its own
 *    |  &lt;--- their numbers ------------------------------------------------ |
 *    |  connects its own                                                     |
 *    |  ---- READY ----------------------------------------------------------&gt;  |  uses the link
 *    |  &lt;------------------------------------------------------------------- |
 *    |  uses the link                                                        |
 * </pre>
 *
 * Either side uses a link only when both ends are connected, and the workers of both nodes have given up the earlier links of the two: a request of
 * such a link has failed, and must not take effect after one of this link. After any failure on the way, the link is dropped and soon made
 * anew, unless the peer is gone. All of this happens under one lock, on the threads of {@link #incoming}, {@link #later} and the answers;
 * workers only use finished links and abandon ended ones. Only the connections for calls are made without the lock, as this can take seconds:
 * a link that has ended meanwhile does not use them.
 */
final class Linker implements AutoCloseable, Control.Listener, PeerLinks.Network<PeerLink> {
    private static final Logger LOG = LoggerFactory.getLogger(Linker.class);

    private static final String TOPIC = "verbs";
    private static final byte NOTICE = 1;
    private static final byte HELLO = 2;
    private static final byte CONNECT = 3;
    private static final byte READY = 4;
    private static final byte[] NOTHING = {};

    private static final int NOTICE_BYTES = Long.BYTES + Integer.BYTES;

    private static final long RETRY_MILLIS = 100;
    private static final long IDLE_MILLIS = 1000;

    private final Control control;
    private final PeerGates gates;
    private final int node;
    private final Executor later = CompletableFuture.delayedExecutor(RETRY_MILLIS, TimeUnit.MILLISECONDS);
    /** Takes the control channel's questions and events: they wait for the lock, and the channel's own threads serve the whole node. */
    private final Executor incoming;
    /** Makes the connections for calls, those of one link at a time. */
    private final Executor connecting;

    private final Object lock = new Object();
    private final PeerLinks<PeerLink> links;
    private final Peer[] peers;
    /** Null until the node has started. */
    private Maker maker;

    private boolean closed;
    /** The number of the last link of this node to itself. */
    private int ownLinks;

    /**
     * Makes the parts of links, and ends them. Its methods are called under the linker's lock, except {@link #prepareCalls} and {@link #awaitEnds}.
     */
    interface Maker {
        /** This node's description of itself. */
        Hello own();

        /**
         * Makes a link.
         *
         * @param attempt the attempt's number, as the leading side counts them
         * @throws IllegalArgumentException when the peer is configured differently from this node
         */
        PeerLink make(int peer, int attempt, Hello hello);

        /** The data by which the peer can connect the link. */
        byte[] numbers(PeerLink link);

        /**
         * Connects a link with the peer's.
         *
         * @param numbers the peer's {@link #numbers}, positioned after the attempt
         */
        void connect(PeerLink link, Hello hello, ByteBuffer numbers);

        /** Makes the connections for calls on a link, which can take seconds. Called on one thread at a time. */
        RpcTransport.Prepared prepareCalls(PeerLink link, Hello hello);

        /** Ends a link that workers no longer find: its outstanding requests fail, on the workers. */
        void end(PeerLink link);

        /**
         * Waits until the workers have given up the links that were ended before this call: no request that came over one of them takes effect any
         * more. Stops waiting when the node leaves. Called without the linker's lock.
         */
        void awaitEnds();

        /**
         * Checks that a peer is configured like this node.
         *
         * @throws IllegalArgumentException when an option differs; the message names it
         */
        void checkFits(int peer, Hello hello);
    }

    /**
     * Names a link of two nodes, equally on both.
     *
     * @param incarnation the leading node's, since a restarted node counts its attempts anew
     * @param attempt the attempt to make it, as the leading side counts them from 1
     */
    private record Name(long incarnation, int attempt) {
        static final Name NONE = new Name(0, 0);
    }

    /** The state of a peer. Guarded by the lock. */
    private static final class Peer {
        /** The last HELLO of a peer that leads. */
        private Hello hello;
        /** The last link. */
        private Name last = Name.NONE;
        /** Why the last attempt failed, or null. */
        private String complaint;
        /** Whether a link has ended here. */
        private boolean hasEnded;
    }

    Linker(Control control, PeerGates gates) {
        this.control = control;
        this.gates = gates;
        this.node = control.node();
        this.links = new PeerLinks<>(lock, node, control.nodes(), control::isUp, gates, this);
        this.peers = new Peer[control.nodes()];
        for (int peer = 0; peer < peers.length; peer++) {
            peers[peer] = new Peer();
        }
        this.incoming = oneThread("rcc-node" + node + "-verbs-links");
        this.connecting = oneThread("rcc-node" + node + "-verbs-calls");
        control.serveLater(
                TOPIC,
                (peer, question) -> CompletableFuture.<Void>completedFuture(null)
                        .thenComposeAsync(nothing -> answer(peer, question), incoming));
        control.listen(this);
    }

    /** One thread, which ends when it has nothing to do. */
    private static Executor oneThread(String name) {
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                1,
                1,
                IDLE_MILLIS,
                TimeUnit.MILLISECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform().daemon().name(name).factory());
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    /** The link to a peer that workers use, or null. Takes no lock. */
    PeerLink using(int peer) {
        return links.using(peer);
    }

    /** Starts to make links to peers. */
    void start(Maker of) {
        synchronized (lock) {
            maker = of;
            linkItself(maker.own());
            links.start();
        }
    }

    private void linkItself(Hello own) {
        PeerLink link = ownLink(own);
        useOwn(link, maker.prepareCalls(link, own));
    }

    private PeerLink ownLink(Hello own) {
        PeerLink link = maker.make(node, ownLinks++, own);
        links.accepted(node, own.incarnation(), link);
        maker.connect(link, own, numbers(maker.numbers(link)));
        return link;
    }

    private void useOwn(PeerLink link, RpcTransport.Prepared calls) {
        useCalls(link, calls);
        links.made(node, link);
    }

    /** Makes the link of this node to itself again, since it broke: once the workers have given up the one before, as for any peer. */
    private void linkItselfAnew() {
        try {
            maker.awaitEnds();
            Hello own = maker.own();
            PeerLink link;
            synchronized (lock) {
                if (closed) {
                    return;
                }
                link = ownLink(own);
            }
            RpcTransport.Prepared calls = maker.prepareCalls(link, own);
            synchronized (lock) {
                if (isCurrent(link)) {
                    useOwn(link, calls);
                } else {
                    calls.discard();
                }
            }
        } catch (RuntimeException e) {
            synchronized (lock) {
                complain(node, CONNECT, e);
                links.drop(node, "it cannot be connected");
            }
            later.execute(() -> connecting.execute(this::linkItselfAnew));
        }
    }

    /** {@inheritDoc} Waits for the connections that are being made, as the device is closed next. */
    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
            links.close();
        }
        CompletableFuture.runAsync(() -> {}, connecting).join();
    }

    @Override
    public void up(int peer, long incarnation) {
        incoming.execute(() -> links.up(peer, incarnation));
    }

    @Override
    public void down(int peer) {
        incoming.execute(() -> links.down(peer));
    }

    /** A connection for calls on a link to a peer is broken. Called on the worker that detected it. */
    void callsBroken(int peer, int attempt, int worker, String reason) {
        PeerLink link = links.using(peer);
        if (link != null && link.attempt() == attempt) {
            broken(link, worker, reason);
        }
    }

    /** A connection to a peer is broken. Called on the worker that detected it. */
    void broken(PeerLink link, int worker, String reason) {
        int peer = link.peer();
        CompletableFuture<?> _ = CompletableFuture.runAsync(() -> {
            synchronized (lock) {
                if (!closed && links.using(peer) == link) {
                    LOG.warn(
                            "event=connection_broken node={} worker={} peer={}: {}; it is made anew",
                            node,
                            worker,
                            peer,
                            reason);
                    end(link);
                }
            }
        });
    }

    // Peers that are cut off.

    /** Closes the gate of a peer. When this returns, each request that it has posted has taken effect, or never will. */
    void fence(int peer) {
        Maker present;
        synchronized (lock) {
            links.fence(peer);
            peers[peer].hello = null;
            // A notified peer gives the link up at once. Otherwise it does so when its device has got no
            // answer for long enough.
            if (control.isUp(peer) && !closed) {
                notice(
                        peer,
                        failure ->
                                LOG.debug("node {}: node {} does not learn that it is cut off", node, peer, failure));
            }
            present = maker;
        }
        if (present != null) {
            present.awaitEnds();
        }
    }

    /** Opens the gate of a peer for one of its incarnations, and closes it for all others. */
    void admit(int peer, long incarnation) {
        links.admit(peer, incarnation);
    }

    // The network of PeerLinks.

    @Override
    public boolean leads(int peer) {
        return peer > node;
    }

    /** {@inheritDoc} Asks the peer for its HELLO first. */
    @Override
    public void ask(int peer, int attempt) {
        ask(
                peer,
                HELLO,
                maker.own().encode(),
                () -> links.isAsking(peer, attempt),
                answer -> helloReceived(peer, attempt, answer),
                () -> links.failed(peer, attempt));
    }

    @Override
    public void prompt(int peer) {
        notice(peer, failure -> {
            synchronized (lock) {
                complain(peer, NOTICE, failure);
            }
            later.execute(() -> links.want(peer));
        });
    }

    @Override
    public void use(int peer, PeerLink link) {
        peers[peer].complaint = null;
        LOG.debug("node {}: linked with node {}", node, peer);
    }

    /** {@inheritDoc} When this node leaves, closing the device ends all links together. */
    @Override
    public void drop(int peer, PeerLink link, String why) {
        if (!closed) {
            endOnWorkers(link);
        }
    }

    private void endOnWorkers(PeerLink link) {
        peers[link.peer()].hasEnded = true;
        maker.end(link);
    }

    @Override
    public void retry(int peer, int failures, Runnable again) {
        later.execute(again);
    }

    private void notice(int peer, Consumer<Throwable> onFailure) {
        Name last = peers[peer].last;
        byte[] notice = question(
                NOTICE,
                ByteBuffer.allocate(NOTICE_BYTES)
                        .putLong(last.incarnation())
                        .putInt(last.attempt())
                        .array());
        CompletableFuture<?> _ = control.ask(peer, TOPIC, notice).whenComplete((answer, failure) -> {
            if (failure != null) {
                onFailure.accept(failure);
            }
        });
    }

    /** Logs why a link was not made. While the reason stays the same, it is logged once only; the node keeps trying. */
    private void complain(int peer, byte step, Throwable failure) {
        String reason = failure.toString();
        if (!closed && control.isUp(peer) && !reason.equals(peers[peer].complaint)) {
            peers[peer].complaint = reason;
            LOG.warn("event=connect_failed node={} peer={} step={}: it is tried again: {}", node, peer, step, reason);
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

    /** The queue pairs' numbers in a message, positioned after the attempt. */
    private static ByteBuffer numbers(byte[] message) {
        return ByteBuffer.wrap(message).position(Integer.BYTES);
    }

    // The lower side.

    private void helloReceived(int peer, int attempt, byte[] answer) {
        if (answer.length == 0) { // the peer has not started, and will send a notice when it has
            links.refused(peer, attempt);
            return;
        }
        Hello hello = Hello.decode(ByteBuffer.wrap(answer));
        if (!gates.lets(peer, hello.incarnation())) { // admitting it begins anew, and so does its next incarnation
            links.refused(peer, attempt);
            return;
        }
        PeerLink link = maker.make(peer, attempt, hello);
        byte[] own = maker.numbers(link);
        links.begun(peer, attempt, hello.incarnation(), link);
        peers[peer].last = name(link);
        ask(link, CONNECT, own, numbers -> {
            maker.connect(link, hello, numbers(numbers));
            handle(
                    connectCalls(link, hello),
                    peer,
                    CONNECT,
                    () -> isCurrent(link),
                    nothing -> ask(link, READY, number(attempt), ready -> links.made(peer, link)),
                    () -> end(link));
        });
    }

    private void ask(PeerLink link, byte step, byte[] content, Consumer<byte[]> handler) {
        ask(link.peer(), step, content, () -> isCurrent(link), handler, () -> end(link));
    }

    private void ask(
            int peer, byte step, byte[] content, BooleanSupplier stands, Consumer<byte[]> handler, Runnable onFailure) {
        handle(control.ask(peer, TOPIC, question(step, content)), peer, step, stands, handler, onFailure);
    }

    /**
     * Handles an answer of a peer, or what has been made, under the lock, unless an event has made it void meanwhile.
     *
     * @param stands returns whether the answer is still valid
     * @param onFailure runs when there is no answer, or it is unusable
     */
    private <T> void handle(
            CompletableFuture<T> future,
            int peer,
            byte step,
            BooleanSupplier stands,
            Consumer<T> handler,
            Runnable onFailure) {
        CompletableFuture<?> _ = future.whenComplete((answer, failure) -> {
            synchronized (lock) {
                if (closed || !stands.getAsBoolean()) {
                    return;
                }
                Throwable wrong = failure == null ? handled(handler, answer) : cause(failure);
                if (wrong != null) {
                    complain(peer, step, wrong);
                    onFailure.run();
                }
            }
        });
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException ? failure.getCause() : failure;
    }

    private static <T> Throwable handled(Consumer<T> handler, T answer) {
        try {
            handler.accept(answer);
            return null;
        } catch (RuntimeException e) {
            return e;
        }
    }

    /** Ends a link that broke or could not be made; another one is made soon. */
    private void end(PeerLink link) {
        links.ended(link.peer(), link);
        endOnWorkers(link);
        if (link.peer() == node) {
            connecting.execute(this::linkItselfAnew);
        }
    }

    // Both sides.

    /** Names a link, as the peer does. */
    private Name name(PeerLink link) {
        return new Name(leads(link.peer()) ? control.incarnation() : link.peerIncarnation(), link.attempt());
    }

    private boolean isCurrent(PeerLink link) {
        return links.current(link.peer()) == link;
    }

    /**
     * Makes the connections for calls on a link, without the lock, and uses them if the link is still there. Waits for the end of the earlier links
     * to the peer before: neither side uses this one until both have done so.
     */
    private CompletableFuture<Void> connectCalls(PeerLink link, Hello hello) {
        return CompletableFuture.runAsync(
                () -> {
                    awaitEarlierEnds(link.peer());
                    if (!isCurrent(link)) {
                        throw dropped();
                    }
                    RpcTransport.Prepared calls = maker.prepareCalls(link, hello);
                    synchronized (lock) {
                        if (!isCurrent(link)) {
                            calls.discard();
                            throw dropped();
                        }
                        useCalls(link, calls);
                    }
                },
                connecting);
    }

    private void awaitEarlierEnds(int peer) {
        boolean isFirst;
        synchronized (lock) {
            isFirst = !peers[peer].hasEnded;
        }
        if (!isFirst) {
            maker.awaitEnds();
        }
    }

    private static IllegalStateException dropped() {
        return new IllegalStateException("the link was dropped meanwhile");
    }

    private static void useCalls(PeerLink link, RpcTransport.Prepared calls) {
        link.markCallable();
        calls.use();
    }

    // The higher side.

    private CompletableFuture<byte[]> answer(int peer, byte[] question) {
        ByteBuffer from = ByteBuffer.wrap(question);
        byte step = from.get();
        synchronized (lock) {
            if (maker == null || closed) {
                return CompletableFuture.completedFuture(NOTHING);
            }
            return switch (step) {
                case NOTICE ->
                    CompletableFuture.completedFuture(noticed(peer, new Name(from.getLong(), from.getInt())));
                case HELLO -> CompletableFuture.completedFuture(helloReceived(peer, Hello.decode(from)));
                case CONNECT -> connected(peer, from.getInt(), from);
                case READY -> CompletableFuture.completedFuture(ready(peer, from.getInt()));
                default -> throw new IllegalArgumentException("no step " + step);
            };
        }
    }

    private byte[] noticed(int peer, Name last) {
        PeerLink link = links.current(peer);
        // The peer has no link, or no longer has this one. A later link stays.
        if (link != null && name(link).equals(last)) {
            links.drop(peer, "the peer has lost it");
        }
        links.want(peer);
        return NOTHING;
    }

    private byte[] helloReceived(int peer, Hello hello) {
        if (!gates.lets(peer, hello.incarnation())) {
            return NOTHING;
        }
        peers[peer].hello = hello;
        maker.checkFits(peer, hello);
        return maker.own().encode();
    }

    private CompletableFuture<byte[]> connected(int peer, int attempt, ByteBuffer numbers) {
        Hello hello = peers[peer].hello;
        if (hello == null) {
            throw new IllegalStateException("HELLO comes first");
        }
        links.drop(peer, "it connects anew");
        PeerLink link = maker.make(peer, attempt, hello);
        if (!links.accepted(peer, hello.incarnation(), link)) {
            endOnWorkers(link);
            throw new IllegalStateException("node " + peer + " is cut off");
        }
        peers[peer].last = name(link);
        byte[] own = maker.numbers(link);
        try {
            maker.connect(link, hello, numbers);
        } catch (RuntimeException e) {
            links.drop(peer, "it cannot be connected");
            throw e;
        }
        return connectCalls(link, hello)
                .whenComplete((nothing, failure) -> {
                    if (failure != null) {
                        dropUnconnected(link);
                    }
                })
                .thenApply(nothing -> own);
    }

    private void dropUnconnected(PeerLink link) {
        synchronized (lock) {
            if (isCurrent(link)) {
                links.drop(link.peer(), "it cannot be connected");
            }
        }
    }

    private byte[] ready(int peer, int attempt) {
        PeerLink link = links.current(peer);
        if (link == null || link.attempt() != attempt || !links.made(peer, link)) {
            throw dropped();
        }
        return NOTHING;
    }
}
