package dev.rcc.server.gateway;

import dev.rcc.transport.control.Control;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The addresses of the gateways of a cluster whose nodes are processes. Each node sends the address of its own gateway to its peers,
 * when they connect and when it changes. A peer that is not connected has no address. But where a majority goes on without the other
 * nodes, a node that is connected to fewer does not count its peers as gone. It names their last known addresses, and not its own, as it
 * serves no client.
 *
 * <p>A node sends a number that grows with each change, so that a message that was overtaken does no harm, and the address, empty for
 * none. The answer is the peer's number and address: what the peer sends by itself may arrive before this node has noticed that the
 * connection before is gone, and is then forgotten with that connection.
 *
 * <pre>
 *  0         8
 * +---------+- - - - - -+
 * | change  | address   |
 * | i64     | UTF-8     |
 * +---------+- - - - - -+
 * </pre>
 *
 * <p>May be used on any thread.
 */
final class ClientAddresses {
    private static final String TOPIC = "gateway";
    private static final Logger LOG = LoggerFactory.getLogger(ClientAddresses.class);

    private final Control control;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final List<Runnable> whenCutOff = new CopyOnWriteArrayList<>();
    private final String[] addresses;
    private final long[] changes;
    /** By node: whether it is connected and has sent the address of its gateway. */
    private final boolean[] reported;

    private final boolean[] connected;
    /** By node: how often it was lost. */
    private final int[] losses;
    /** The least number of connected nodes that can serve. */
    private final int quorum;

    /**
     * The addresses at a node whose control has not been started.
     *
     * @param needsMajority whether nodes serve only in a majority
     */
    ClientAddresses(Control control, boolean needsMajority) {
        this.control = control;
        this.addresses = new String[control.nodes()];
        this.changes = new long[control.nodes()];
        this.reported = new boolean[control.nodes()];
        this.connected = new boolean[control.nodes()];
        this.losses = new int[control.nodes()];
        this.quorum = needsMajority ? control.nodes() / 2 + 1 : 1;
        Arrays.fill(addresses, "");
        connected[control.node()] = true;
        control.serve(TOPIC, this::hear);
        control.listen(new Control.Listener() {
            @Override
            public void up(int peer, long incarnation) {
                if (peer != control.node()) {
                    hello(peer);
                }
            }

            @Override
            public void down(int peer) {
                forget(peer);
            }
        });
    }

    /** Adds a listener, called when an address has changed. */
    void listen(Runnable listener) {
        listeners.add(listener);
    }

    /** Adds a listener, called after the listeners of addresses when the node has just been cut off from the majority that it needs. */
    void whenCutOff(Runnable listener) {
        whenCutOff.add(listener);
    }

    /** Sets the address of this node's gateway, empty for none, and sends it to the peers. */
    void own(String address) {
        set(control.node(), 0, next(), address);
        for (int peer = 0; peer < control.nodes(); peer++) {
            if (peer != control.node() && control.isUp(peer)) {
                tell(peer);
            }
        }
    }

    /** The addresses of the gateways that a client may use, by node; empty for none. */
    synchronized List<String> byNode() {
        boolean[] named = isCutOff() ? others() : reported;
        return IntStream.range(0, addresses.length)
                .mapToObj(node -> named[node] ? addresses[node] : "")
                .toList();
    }

    private boolean isCutOff() {
        return count(connected) < quorum;
    }

    private boolean[] others() {
        boolean[] others = new boolean[addresses.length];
        Arrays.fill(others, true);
        others[control.node()] = false;
        return others;
    }

    private static int count(boolean[] nodes) {
        int count = 0;
        for (boolean is : nodes) {
            count += is ? 1 : 0;
        }
        return count;
    }

    private synchronized long next() {
        return changes[control.node()] + 1;
    }

    private void tell(int peer) {
        int loss = losses(peer);
        CompletableFuture<byte[]> sent = control.ask(peer, TOPIC, own());
        CompletableFuture<byte[]> _ = sent.whenComplete((theirs, failure) -> {
            if (failure != null) { // the peer has gone; it is sent the address again when it is back
                LOG.debug("this node could not send its gateway's address to node {}", peer, failure);
            } else {
                heard(peer, loss, theirs);
            }
        });
    }

    private synchronized int losses(int peer) {
        return losses[peer];
    }

    private synchronized byte[] own() {
        byte[] address = addresses[control.node()].getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(Long.BYTES + address.length)
                .putLong(changes[control.node()])
                .put(address)
                .array();
    }

    private byte[] hear(int peer, byte[] said) {
        heard(peer, losses(peer), said);
        return own();
    }

    private void heard(int peer, int loss, byte[] said) {
        ByteBuffer bytes = ByteBuffer.wrap(said);
        long change = bytes.getLong();
        set(peer, loss, change, StandardCharsets.UTF_8.decode(bytes).toString());
    }

    private void set(int node, int loss, long change, String address) {
        synchronized (this) {
            if (loss != losses[node] || change <= changes[node]) {
                return; // the node was lost since, or a later change has overtaken this one
            }
            changes[node] = change;
            addresses[node] = address;
            reported[node] = true;
        }
        listeners.forEach(Runnable::run);
    }

    private void hello(int peer) {
        synchronized (this) {
            connected[peer] = true;
        }
        tell(peer);
    }

    private void forget(int peer) {
        boolean isCutOff;
        synchronized (this) {
            boolean wasCutOff = isCutOff();
            losses[peer]++;
            changes[peer] = 0; // its next incarnation counts from the beginning
            reported[peer] = false;
            connected[peer] = false;
            isCutOff = isCutOff() && !wasCutOff;
        }
        listeners.forEach(Runnable::run);
        if (isCutOff) {
            whenCutOff.forEach(Runnable::run);
        }
    }
}
