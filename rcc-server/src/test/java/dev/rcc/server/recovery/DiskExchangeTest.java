package dev.rcc.server.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.server.durability.LoggedDisk;
import dev.rcc.transport.control.ControlChannel;
import dev.rcc.transport.control.ControlOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The answers of a node that restarts. */
class DiskExchangeTest {
    private static final long FIRST = 1 << 16;
    private static final long SECOND = 2 << 16;
    private static final long THIRD = 3 << 16;

    @TempDir
    private Path directory;

    // Goal: a peer that has the first part of a list from a node's last incarnation gets the other parts, and not an
    // empty list, which it
    // would take for the end.
    @Test
    void shouldSendTheRestOfAListThatAnEarlierIncarnationBegan() throws Exception {
        try (ControlChannel control = ControlChannel.bind(
                ControlOptions.of("test", LoggedDisk.PEER, 1),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            control.peersAt(List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), control.port())));
            DiskExchange exchange = new DiskExchange(control, () -> 0);
            control.start();
            exchange.offer(new LoggedDisk(directory, THIRD, FIRST, SECOND).read(), 0);
            byte[] from = ByteBuffer.allocate(Integer.BYTES).putInt(1).array();
            byte[] rest =
                    control.ask(LoggedDisk.PEER, "rcc.restart.logged", from).get(30, TimeUnit.SECONDS);
            assertThat(ids(rest)).containsExactly(FIRST, SECOND);
            assertThat(exchange.logged(LoggedDisk.PEER))
                    .extracting(txn -> txn.id())
                    .containsExactly(THIRD, FIRST, SECOND);
        }
    }

    private static List<Long> ids(byte[] logged) {
        List<Long> ids = new ArrayList<>();
        for (ByteBuffer each = ByteBuffer.wrap(logged); each.hasRemaining(); each.get()) {
            each.getInt(); // the ring; the last byte is the outcome
            ids.add(each.getLong());
        }
        return ids;
    }
}
