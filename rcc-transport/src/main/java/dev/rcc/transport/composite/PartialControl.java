package dev.rcc.transport.composite;

import dev.rcc.transport.control.Control;
import dev.rcc.transport.control.ControlFailure;
import dev.rcc.transport.handshake.Handshakes;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntPredicate;

/**
 * A node's control channel as one of its networks sees it, which leads to some of the peers only: the other peers never come up, and are neither
 * asked nor answered. So the network makes no link to them. The topics of both networks must differ.
 */
final class PartialControl implements Control {
    private final Control whole;
    private final IntPredicate isSeen;

    /** The part of {@code whole} for the nodes for which {@code isSeen} holds. */
    PartialControl(Control whole, IntPredicate isSeen) {
        this.whole = whole;
        this.isSeen = isSeen;
    }

    @Override
    public int node() {
        return whole.node();
    }

    /** {@inheritDoc} All of them: a node's number is the same on both networks. */
    @Override
    public int nodes() {
        return whole.nodes();
    }

    @Override
    public long incarnation() {
        return whole.incarnation();
    }

    @Override
    public Handshakes handshakes() {
        return whole.handshakes();
    }

    @Override
    public void serveLater(String topic, LaterHandler handler) {
        whole.serveLater(
                topic,
                (peer, question) -> isSeen.test(peer)
                        ? handler.answer(peer, question)
                        : CompletableFuture.failedFuture(new ControlFailure(
                                "node " + node() + " and node " + peer + " do not meet on the network " + topic)));
    }

    @Override
    public void listen(Listener listener) {
        whole.listen(new Listener() {
            @Override
            public void up(int peer, long incarnation) {
                if (isSeen.test(peer)) {
                    listener.up(peer, incarnation);
                }
            }

            @Override
            public void down(int peer) {
                if (isSeen.test(peer)) {
                    listener.down(peer);
                }
            }
        });
    }

    @Override
    public boolean isUp(int peer) {
        return isSeen.test(peer) && whole.isUp(peer);
    }

    @Override
    public CompletableFuture<byte[]> ask(int peer, String topic, byte[] question) {
        if (!isSeen.test(peer)) {
            throw new IllegalArgumentException("node " + node() + " does not meet node " + peer + " on this network");
        }
        return whole.ask(peer, topic, question);
    }

    /** Not for a network: the channel has an owner. */
    @Override
    public void start() {
        throw ownedByOthers();
    }

    /** Not for a network: the channel has an owner. */
    @Override
    public void close() {
        throw ownedByOthers();
    }

    private static UnsupportedOperationException ownedByOthers() {
        return new UnsupportedOperationException("the control channel is started and closed by its owner");
    }
}
