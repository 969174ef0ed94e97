package dev.rcc.server.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.server.durability.LoggedDisk;
import dev.rcc.server.durability.RecoveredNode;
import dev.rcc.transport.control.Control;
import dev.rcc.transport.handshake.Handshakes;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

    /** A node that asks itself, and that is started again before a question. */
    private static final class RestartingPeer implements Control {
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
            return handlers.get(topic).answer(peer, message);
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
