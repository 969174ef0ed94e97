package dev.rcc.transport.sockets;

import io.netty.channel.Channel;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;
import java.nio.channels.spi.SelectorProvider;

/** The ways in which sockets do input and output. Channels and the event loops that they belong to are of one kind. */
public enum SocketTransport {
    /** epoll where it is available, otherwise NIO. */
    AUTO,
    /** Linux's io_uring. */
    IO_URING,
    /** Linux's epoll. */
    EPOLL,
    /** The JDK's NIO. */
    NIO;

    /** Why this one cannot be used here, or null. */
    Throwable unavailability() {
        return switch (this) {
            case IO_URING -> IoUring.unavailabilityCause();
            case EPOLL -> Epoll.unavailabilityCause();
            case NIO, AUTO -> null;
        };
    }

    /**
     * The kind that is used: this one or, for {@link #AUTO}, the kind that it stands for here.
     *
     * @throws IllegalArgumentException when it cannot be used here, with the reason
     */
    public SocketTransport resolve() {
        if (this == AUTO) {
            return EPOLL.unavailability() == null ? EPOLL : NIO;
        }
        Throwable unavailability = unavailability();
        if (unavailability != null) {
            throw new IllegalArgumentException(
                    "transport " + this + " is not available here, try auto: " + unavailability);
        }
        return this;
    }

    /** The I/O handlers for an event loop of this kind, which is not {@link #AUTO}. */
    public IoHandlerFactory handlers() {
        return switch (this) {
            case IO_URING -> IoUringIoHandler.newFactory();
            case EPOLL -> EpollIoHandler.newFactory(0, () -> YieldFirst.INSTANCE);
            case NIO -> NioIoHandler.newFactory(SelectorProvider.provider(), () -> YieldFirst.INSTANCE);
            case AUTO -> throw unresolved();
        };
    }

    /** A socket of this kind, which is not {@link #AUTO}. */
    public Channel newSocket() {
        return switch (this) {
            case IO_URING -> new IoUringSocketChannel();
            case EPOLL -> new EpollSocketChannel();
            case NIO -> new NioSocketChannel();
            case AUTO -> throw unresolved();
        };
    }

    /** A listening socket of this kind, which is not {@link #AUTO}; the sockets that it accepts are of this kind, too. */
    public ServerChannel newServerSocket() {
        return switch (this) {
            case IO_URING -> new IoUringServerSocketChannel();
            case EPOLL -> new EpollServerSocketChannel();
            case NIO -> new NioServerSocketChannel();
            case AUTO -> throw unresolved();
        };
    }

    /**
     * Has the operating system end a connection of this kind, which is not {@link #AUTO}, when the other end acknowledges no sent byte for
     * {@code millis} milliseconds. Does nothing for {@link #NIO}, which cannot.
     */
    public void limitSilence(Channel channel, int millis) {
        switch (this) {
            case IO_URING -> channel.config().setOption(IoUringChannelOption.TCP_USER_TIMEOUT, millis);
            case EPOLL -> channel.config().setOption(EpollChannelOption.TCP_USER_TIMEOUT, millis);
            case NIO -> {}
            case AUTO -> throw unresolved();
        }
    }

    private static IllegalStateException unresolved() {
        return new IllegalStateException("AUTO has to be resolved first");
    }
}
