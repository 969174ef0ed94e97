package dev.rcc.transport.control;

import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;

/**
 * Looks up the host names of peers, each time on a virtual thread: Netty's default is the I/O thread that connects, which could serve no other peer
 * while a name server does not answer.
 */
public final class HostLookup extends AddressResolverGroup<InetSocketAddress> {
    /** For all event loops. */
    public static final HostLookup INSTANCE = new HostLookup();

    private HostLookup() {}

    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
        return new OnVirtualThreads(executor).asAddressResolver();
    }

    private static final class OnVirtualThreads extends InetNameResolver {
        OnVirtualThreads(EventExecutor executor) {
            super(executor);
        }

        @Override
        protected void doResolve(String host, Promise<InetAddress> found) {
            start(() -> InetAddress.getByName(host), found);
        }

        @Override
        protected void doResolveAll(String host, Promise<List<InetAddress>> found) {
            start(() -> List.of(InetAddress.getAllByName(host)), found);
        }

        private <T> void start(Callable<T> lookup, Promise<T> found) {
            Thread.startVirtualThread(() -> run(lookup, found));
        }

        private <T> void run(Callable<T> lookup, Promise<T> found) {
            try {
                T address = lookup.call();
                complete(() -> found.trySuccess(address));
            } catch (Exception e) {
                complete(() -> found.tryFailure(e));
            }
        }

        private void complete(Runnable completion) {
            try {
                executor().execute(completion);
            } catch (RejectedExecutionException e) {
                // the event loop has ended, and the connection with it
            }
        }
    }
}
