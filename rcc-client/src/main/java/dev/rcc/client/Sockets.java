package dev.rcc.client;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;

/**
 * The implementation of input and output.
 *
 * @param handlers makes the handlers of event loops
 * @param channel the channel class of connections
 */
record Sockets(IoHandlerFactory handlers, Class<? extends SocketChannel> channel) {
    /** Linux's epoll, if the program has Netty's library for it, otherwise the JDK's own. */
    static Sockets best() {
        try {
            if (Epoll.isAvailable()) {
                return new Sockets(EpollIoHandler.newFactory(), EpollSocketChannel.class);
            }
        } catch (NoClassDefFoundError e) {
            // the program does not have the library
        }
        return new Sockets(NioIoHandler.newFactory(), NioSocketChannel.class);
    }
}
