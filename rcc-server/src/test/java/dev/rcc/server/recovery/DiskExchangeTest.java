package dev.rcc.server.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.server.durability.LoggedDisk;
import dev.rcc.server.durability.RecoveredNode;
import dev.rcc.transport.control.Control;
import dev.rcc.transport.control.ControlChannel;
import dev.rcc.transport.handshake.Handshakes;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The answers of a node that restarts. */
class DiskExchangeTest {
    private static final int TRANSACTIONS = 5_000;

    @TempDir
    private Path directory;

    // Goal: a node that has a part of a peer's list when the peer is started again does not take that part for the
    // whole list.
    @Test
    void shouldAskForTheWholeListOfAPeerThatRestartsBetweenTwoParts() throws Exception {
        LoggedDisk disk = new LoggedDisk(directory, TRANSACTIONS);
        RestartingPeer peer = new RestartingPeer();
        DiskExchange exchange = new DiskExchange(peer, () -> 0);
        exchange.offer(disk.read(), 0);
        peer.beforeQuestion(2, () -> {
            peer.handlers.clear();
            new DiskExchange(peer, () -> 0).offer(disk.read(), 0);
        });
        List<Long> ids = exchange.logged(LoggedDisk.PEER).stream()
                .map(RecoveredNode.Logged::id)
                .toList();
        assertThat(ids.size()).isEqualTo(TRANSACTIONS);
        assertThat(Set.copyOf(ids).size()).isEqualTo(TRANSACTIONS);
    }

    @Test
    void shouldGiveAnEntryThatIsLongerThanAMessage() throws Exception {
        int bytes = 4 * ControlChannel.MAX_MESSAGE_BYTES;
        RestartingPeer peer = new RestartingPeer();
        DiskExchange exchange = new DiskExchange(peer, () -> 0);
        try (RecoveredNode read = new LoggedDisk(directory, 2, bytes).read()) {
            exchange.offer(read, 0);
            List<RecoveredNode.Logged> logged = exchange.logged(LoggedDisk.PEER);
            Map<Long, byte[]> found = new HashMap<>();
            exchange.entries(LoggedDisk.PEER, logged, (txn, entry) -> found.put(txn.id(), entry));
            assertThat(logged).hasSize(2);
            assertThat(logged).allSatisfy(txn -> assertThat(found.get(txn.id())).isEqualTo(read.entry(txn.id())));
        }
    }

    // Goal: no node runs transactions while a peer recovers its disk.
    // Method: one peer is started again while another one is waited for.
    @Test
    void shouldWaitUntilAllNodesHaveReachedAPhaseAtOneTime() throws Exception {
        RestartingPeer peers = new RestartingPeer();
        peers.phases.put(0, new ArrayDeque<>(List.of(DiskExchange.Phase.TAKEN, DiskExchange.Phase.READING)));
        peers.phases.put(1, new ArrayDeque<>(List.of(DiskExchange.Phase.REPLAYED)));
        new DiskExchange(peers, () -> 0).awaitAll(List.of(0, 1), DiskExchange.Phase.TAKEN);
        assertThat(peers.phases.values()).allMatch(Queue::isEmpty);
    }

    /** A node that asks itself, and that is started again before a question. */
    private static final class RestartingPeer implements Control {
        /** By peer: its first phases; it has taken its data afterwards. */
        private final Map<Integer, Queue<DiskExchange.Phase>> phases = new HashMap<>();

        private final Map<String, LaterHandler> handlers = new HashMap<>();
        private int question;
        private int restartsBefore;
        private Runnable restart;

        void beforeQuestion(int number, Runnable action) {
            restartsBefore = number;
            restart = action;
        }

        @Override
        public CompletableFuture<byte[]> ask(int peer, String topic, byte[] message) {
            question++;
            if (question == restartsBefore) {
                restart.run();
            }
            if (phases.containsKey(peer)) {
                DiskExchange.Phase next = phases.get(peer).poll();
                byte phase = (byte) (next == null ? DiskExchange.Phase.TAKEN : next).ordinal();
                return CompletableFuture.completedFuture(ByteBuffer.allocate(1 + Long.BYTES)
                        .put(phase)
                        .putLong(incarnation())
                        .array());
            }
            CompletableFuture<byte[]> answer = handlers.get(topic).answer(peer, message);
            assertThat(answer.join().length).isLessThanOrEqualTo(ControlChannel.MAX_MESSAGE_BYTES);
            return answer;
        }

        @Override
        public void serveLater(String topic, LaterHandler handler) {
            handlers.put(topic, handler);
        }

        @Override
        public int node() {
            return LoggedDisk.PEER;
        }

        @Override
        public int nodes() {
            return 1;
        }

        @Override
        public long incarnation() {
            return 1;
        }

        @Override
        public boolean isUp(int peer) {
            return true;
        }

        @Override
        public Handshakes handshakes() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void listen(Listener listener) {}

        @Override
        public void start() {}

        @Override
        public void close() {}
    }
}
