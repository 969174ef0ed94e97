package dev.rcc.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.fabric.PeerUnreachable;
import dev.rcc.transport.control.Control;
import dev.rcc.transport.handshake.Handshakes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ClientAddressesTest {
    private final List<Wired> controls = new ArrayList<>();
    private final List<ClientAddresses> addresses = new ArrayList<>();

    @Test
    void shouldNameThoseThatAreConnected() {
        cluster(3, true);

        connect(0, 1);
        connect(0, 2);
        connect(1, 2);

        assertThat(addresses).allSatisfy(each -> assertThat(named(each)).containsExactly("host0", "host1", "host2"));
    }

    @Test
    void shouldNoLongerListNodesWithoutAnAddressOrConnection() {
        cluster(3, true);
        connect(0, 1);
        connect(0, 2);

        addresses.get(1).own("");
        assertThat(named(addresses.get(0))).containsExactly("host0", "host2");
        addresses.get(1).own("elsewhere");
        cut(0, 2);
        assertThat(named(addresses.get(0))).containsExactly("host0", "elsewhere");
    }

    // A node may notice that a connection is lost only when the peer has connected again, and has sent its address.
    @Test
    void shouldNameAPeerThatHasConnectedAgainBeforeTheLossWasNoticed() {
        cluster(3, true);
        connect(0, 1);

        controls.get(1).listener.down(0);
        controls.get(1).listener.up(0, 1);
        controls.get(0).listener.down(1);
        controls.get(0).listener.up(1, 1);

        assertThat(named(addresses.get(0))).containsExactly("host0", "host1");
    }

    @Test
    void shouldNameTheOthersAndNotItselfWhenItIsCutOffFromTheMajority() {
        cluster(3, true);
        connect(0, 1);
        connect(0, 2);
        connect(1, 2);

        cut(0, 2);
        assertThat(named(addresses.get(2))).containsExactly("host1", "host2");
        cut(1, 2);
        assertThat(named(addresses.get(2))).containsExactly("host0", "host1");
        assertThat(named(addresses.get(0))).containsExactly("host0", "host1");
        connect(1, 2);
        assertThat(named(addresses.get(2))).containsExactly("host1", "host2");
    }

    @Test
    void shouldNotifyListenersOnceEachTimeItIsCutOff() {
        cluster(5, true);
        List<List<String>> told = new ArrayList<>();
        addresses.get(0).whenCutOff(() -> told.add(named(addresses.get(0))));
        for (int peer = 1; peer < 5; peer++) {
            connect(0, peer);
        }

        cut(0, 1);
        cut(0, 2);
        assertThat(told).isEmpty();
        cut(0, 3);
        cut(0, 4);
        assertThat(told).containsExactly(List.of("host1", "host2", "host3", "host4"));
        connect(0, 1);
        connect(0, 2);
        cut(0, 1);
        assertThat(told).hasSize(2);
    }

    @Test
    void shouldListOnlyItselfWhenItIsCutOffButNeedsNoMajority() {
        cluster(3, false);
        connect(0, 2);

        cut(0, 2);

        assertThat(named(addresses.get(2))).containsExactly("host2");
    }

    private static List<String> named(ClientAddresses addresses) {
        return addresses.byNode().stream().filter(address -> !address.isEmpty()).toList();
    }

    @Test
    void shouldLeaveThePlacesOfTheOthersEmpty() {
        cluster(3, true);
        connect(0, 2);
        assertThat(addresses.get(2).byNode()).containsExactly("host0", "", "host2");
    }

    private void cluster(int nodes, boolean needsMajority) {
        for (int node = 0; node < nodes; node++) {
            Wired control = new Wired(node, nodes);
            controls.add(control);
            addresses.add(new ClientAddresses(control, needsMajority));
            addresses.get(node).own("host" + node);
        }
    }

    private void connect(int one, int other) {
        controls.get(one).up.put(other, controls.get(other));
        controls.get(other).up.put(one, controls.get(one));
        controls.get(one).listener.up(other, 1);
        controls.get(other).listener.up(one, 1);
    }

    private void cut(int one, int other) {
        controls.get(one).up.remove(other);
        controls.get(other).up.remove(one);
        controls.get(one).listener.down(other);
        controls.get(other).listener.down(one);
    }

    /** A control whose connections the test makes and cuts; it serves one topic. */
    private static final class Wired implements Control {
        private final int node;
        private final int nodes;
        private final Map<Integer, Wired> up = new HashMap<>();
        private LaterHandler handler;
        private Listener listener;

        Wired(int node, int nodes) {
            this.node = node;
            this.nodes = nodes;
        }

        @Override
        public int node() {
            return node;
        }

        @Override
        public int nodes() {
            return nodes;
        }

        @Override
        public Handshakes handshakes() {
            throw new UnsupportedOperationException("it has no connections");
        }

        @Override
        public long incarnation() {
            return 1;
        }

        @Override
        public void serveLater(String topic, LaterHandler newHandler) {
            handler = newHandler;
        }

        @Override
        public void listen(Listener newListener) {
            listener = newListener;
        }

        @Override
        public void start() {}

        @Override
        public boolean isUp(int peer) {
            return peer == node || up.containsKey(peer);
        }

        @Override
        public CompletableFuture<byte[]> ask(int peer, String topic, byte[] question) {
            Wired other = up.get(peer);
            return other == null
                    ? CompletableFuture.failedFuture(new PeerUnreachable(peer))
                    : other.handler.answer(node, question);
        }

        @Override
        public void close() {}
    }
}
