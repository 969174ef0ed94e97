package dev.rcc.transport.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.uring.IoUringChannelOption;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SocketTransportTest {
    private static Stream<Arguments> optionsOfTransports() {
        return Stream.of(
                Arguments.of(SocketTransport.EPOLL, EpollChannelOption.TCP_USER_TIMEOUT),
                Arguments.of(SocketTransport.IO_URING, IoUringChannelOption.TCP_USER_TIMEOUT));
    }

    @ParameterizedTest
    @MethodSource("optionsOfTransports")
    void shouldTellTheOperatingSystemHowLongTheOtherEndMayBeSilent(
            SocketTransport transport, ChannelOption<Integer> option) {
        assumeTrue(transport.unavailability() == null);
        Channel channel = transport.newSocket();
        try {
            transport.limitSilence(channel, 1234);
            assertThat(channel.config().getOption(option)).isEqualTo(1234);
        } finally {
            channel.unsafe().closeForcibly();
        }
    }

    @Test
    void shouldLeaveASocketWithoutThisOptionAsItIs() {
        Channel channel = SocketTransport.NIO.newSocket();
        try {
            assertThatCode(() -> SocketTransport.NIO.limitSilence(channel, 1234))
                    .doesNotThrowAnyException();
        } finally {
            channel.unsafe().closeForcibly();
        }
    }
}
