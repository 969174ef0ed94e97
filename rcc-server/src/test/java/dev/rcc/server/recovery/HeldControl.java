package dev.rcc.server.recovery;

import dev.rcc.core.fabric.PeerUnreachable;
import dev.rcc.transport.control.Control;
import dev.rcc.transport.control.ControlFailure;
import dev.rcc.transport.handshake.Handshakes;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A control on which a test cuts peers off, as if they were dead or stopped, and holds topics back in both directions, or replaces answers by
 * earlier ones, as if their messages were on their way for long.
 */
final class HeldControl implements Control {
    private final Control control;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final Map<String, AtomicInteger> answered = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> asked = new ConcurrentHashMap<>();
    /** By topic: the first answer that this node was given. */
    private final Map<String, byte[]> firstAnswers = new ConcurrentHashMap<>();
    /** By topic: the answer that replaces each answer. */
    private final Map<String, byte[]> outdated = new ConcurrentHashMap<>();
    /** By peer: the incarnation that it is connected in, 0 if it is not. */
    private final long[] incarnations;

    /** Read without a lock: the calling thread may hold the lock that a listener waits for. */
    private final Set<Integer> cut = ConcurrentHashMap.newKeySet();

    /** By topic: what asking about it throws. */
    private final Map<String, Error> defects = new ConcurrentHashMap<>();

    private volatile String held = "";
    private volatile String unasked = "";
    private volatile String delayed = "";
    /** Completed when answers are delayed no longer. */
    private volatile CompletableFuture<Void> arrival = CompletableFuture.completedFuture(null);

    /** How many answers have been delayed. */
    private final AtomicInteger delays = new AtomicInteger();

    HeldControl(Control control) {
        this.control = control;
        this.incarnations = new long[control.nodes()];
        control.listen(new Listener() {
            @Override
            public void up(int peer, long incarnation) {
                tell(peer, incarnation);
            }

            @Override
            public void down(int peer) {
                tell(peer, 0);
            }
        });
    }

    private synchronized void tell(int peer, long incarnation) {
        incarnations[peer] = incarnation;
        if (!isCut(peer)) {
            listeners.forEach(listener -> {
                if (incarnation == 0) {
                    listener.down(peer);
                } else {
                    listener.up(peer, incarnation);
                }
            });
        }
    }

    /** Nothing passes between this node and a peer; it is down. */
    synchronized void cut(int peer) {
        if (incarnations[peer] != 0) {
            listeners.forEach(listener -> listener.down(peer));
        }
        cut.add(peer);
    }

    /** All passes again between this node and a peer. */
    synchronized void heal(int peer) {
        cut.remove(peer);
        if (incarnations[peer] != 0) {
            tell(peer, incarnations[peer]);
        }
    }

    /** Nothing of a topic passes between this node and its peers until {@link #letGo}. */
    void hold(String topic) {
        held = topic;
    }

    /** From now on, the peers' answers about a topic arrive only at {@link #letArrive}. */
    void delay(String topic) {
        arrival = new CompletableFuture<>();
        delayed = topic;
    }

    /** All answers arrive. */
    void letArrive() {
        delayed = "";
        arrival.complete(null);
    }

    /** How many answers have been delayed. */
    int delays() {
        return delays.get();
    }

    private CompletableFuture<byte[]> arriving(int peer, String topic, byte[] answer) {
        if (peer == node() || !topic.equals(delayed)) {
            return CompletableFuture.completedFuture(answer);
        }
        delays.incrementAndGet();
        return arrival.thenApply(_ -> answer);
    }

    /** This node's questions about a topic do not reach its peers until {@link #letGo}; it answers theirs. */
    void holdQuestions(String topic) {
        unasked = topic;
    }

    /** From now on, the thread that asks about a topic meets an error. */
    void breakOn(String topic, Error defect) {
        defects.put(topic, defect);
    }

    /** All topics pass again. */
    void letGo() {
        held = "";
        unasked = "";
    }

    /** From now on, each answer about a topic is the first one that {@code earlier} was given. */
    void repeat(String topic, HeldControl earlier) {
        outdated.put(topic, earlier.firstAnswers.get(topic));
    }

    /** How many questions about a topic this node has begun to answer. */
    int answered(String topic) {
        return count(answered, topic).get();
    }

    /** How many questions about a topic this node has asked. */
    int asked(String topic) {
        return count(asked, topic).get();
    }

    private static AtomicInteger count(Map<String, AtomicInteger> counts, String topic) {
        return counts.computeIfAbsent(topic, key -> new AtomicInteger());
    }

    private boolean isCut(int peer) {
        return cut.contains(peer);
    }

    private boolean passes(int peer, String topic) {
        return !isCut(peer) && (peer == node() || !held.equals(topic));
    }

    @Override
    public int node() {
        return control.node();
    }

    @Override
    public int nodes() {
        return control.nodes();
    }

    @Override
    public Handshakes handshakes() {
        return control.handshakes();
    }

    @Override
    public long incarnation() {
        return control.incarnation();
    }

    @Override
    public void serveLater(String topic, LaterHandler handler) {
        control.serveLater(topic, (peer, question) -> {
            if (!passes(peer, topic)) {
                return CompletableFuture.failedFuture(new ControlFailure("held back by this test"));
            }
            CompletableFuture<byte[]> answer = handler.answer(peer, question);
            count(answered, topic).incrementAndGet();
            return answer;
        });
    }

    @Override
    public void listen(Listener listener) {
        listeners.add(listener);
    }

    @Override
    public void start() {
        control.start();
    }

    @Override
    public boolean isUp(int peer) {
        return !isCut(peer) && control.isUp(peer);
    }

    @Override
    public CompletableFuture<byte[]> ask(int peer, String topic, byte[] question) {
        count(asked, topic).incrementAndGet();
        if (defects.containsKey(topic)) {
            throw defects.get(topic);
        }
        boolean isAsked = peer == node() || !topic.equals(unasked);
        return isAsked && passes(peer, topic)
                ? control.ask(peer, topic, question).thenCompose(answer -> {
                    firstAnswers.putIfAbsent(topic, answer);
                    return arriving(peer, topic, outdated.getOrDefault(topic, answer));
                })
                : CompletableFuture.failedFuture(new PeerUnreachable(peer));
    }

    @Override
    public void close() {
        control.close();
    }
}
