package dev.rcc.transport.handshake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.transport.ExpectedLog;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UnauthenticatedConnectionsTest {
    private final ExpectedLog log = new ExpectedLog("dev.rcc.transport");
    private final UnauthenticatedConnections connections = new UnauthenticatedConnections(0, "peers", 4);

    @BeforeEach
    void expectLog() {
        log.expect();
    }

    @AfterEach
    void close() {
        log.close();
    }

    private static EmbeddedChannel from(String address) {
        return new EmbeddedChannel() {
            @Override
            protected SocketAddress remoteAddress0() {
                return new InetSocketAddress(address, 4711);
            }
        };
    }

    private EmbeddedChannel enter(String address) {
        EmbeddedChannel channel = from(address);
        connections.enter(channel);
        return channel;
    }

    @Test
    void shouldCloseTheOldestOfTheAddressThatHasTheMost() {
        EmbeddedChannel other = enter("10.0.0.1");
        List<EmbeddedChannel> flood = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            flood.add(enter("10.0.0.2"));
        }
        EmbeddedChannel late = enter("10.0.0.3");
        assertThat(flood.getFirst().isOpen()).isFalse();
        assertThat(flood.get(1).isOpen()).isTrue();
        for (int i = 0; i < 100; i++) {
            enter("10.0.0.2");
        }
        assertThat(other.isOpen()).isTrue();
        assertThat(late.isOpen()).isTrue();
        assertThat(connections.count()).isEqualTo(4);
        assertThat(log.messages())
                .singleElement()
                .asString()
                .contains("event=unauthenticated_connection_closed node=0 port=peers unauthenticated=4 ");
    }

    @Test
    void shouldForgetAuthenticatedAndClosedConnections() {
        EmbeddedChannel known = enter("10.0.0.1");
        EmbeddedChannel closed = enter("10.0.0.1");
        connections.leave(known);
        closed.close().syncUninterruptibly();
        assertThat(connections.count()).isZero();
        for (int i = 0; i < 5; i++) {
            enter("10.0.0.1");
        }
        assertThat(known.isOpen()).isTrue();
    }

    @Test
    void shouldCountTheAddressesOfAnIpv6NetworkAsOne() {
        EmbeddedChannel other = enter("2001:db8:0:1::1");
        EmbeddedChannel first = enter("2001:db8:0:2::1");
        for (int i = 2; i < 20; i++) {
            enter("2001:db8:0:2::" + i);
        }
        assertThat(first.isOpen()).isFalse();
        assertThat(other.isOpen()).isTrue();
    }
}
