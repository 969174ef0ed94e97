package dev.rcc.transport.verbs.rdmacm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SockAddrTest {
    @ParameterizedTest
    @CsvSource({"10.77.0.1, 1", "255.255.255.255, 65535", "0.0.0.0, 0", "fd00::1:2, 40000", "fe80::1%3, 5"})
    void shouldReadBackItsOwnOutput(String host, int port) {
        InetSocketAddress address = new InetSocketAddress(host, port);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment written = SockAddr.allocate(arena, address);
            assertThat(SockAddr.read(written.address())).isEqualTo(address);
        }
    }

    @Test
    void shouldWriteInNetworkOrder() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment written = SockAddr.allocate(arena, new InetSocketAddress("1.2.3.4", 0x0506));
            assertThat(written.toArray(ValueLayout.JAVA_BYTE))
                    .startsWith(2, 0, 5, 6, 1, 2, 3, 4)
                    .hasSize(SockAddr.IN_BYTES);
        }
    }

    @Test
    void shouldReadNoAddressWhereThereIsNone() {
        try (Arena arena = Arena.ofConfined()) {
            assertThat(SockAddr.read(arena.allocate(SockAddr.IN6_BYTES, 8).address()))
                    .isNull();
        }
    }

    @Test
    void shouldRejectAnUnresolvedHostName() {
        InetSocketAddress unknown = InetSocketAddress.createUnresolved("nowhere.invalid", 1);
        try (Arena arena = Arena.ofConfined()) {
            assertThatThrownBy(() -> SockAddr.allocate(arena, unknown)).hasMessageContaining("nowhere.invalid");
        }
    }

    @Test
    void shouldDetectTheWildcardAddress() {
        assertThat(SockAddr.isWildcard(new InetSocketAddress("0.0.0.0", 1))).isTrue();
        assertThat(SockAddr.isWildcard(new InetSocketAddress("::", 1))).isTrue();
        assertThat(SockAddr.isWildcard(new InetSocketAddress("10.0.0.1", 1))).isFalse();
    }
}
