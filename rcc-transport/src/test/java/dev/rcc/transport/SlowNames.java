package dev.rcc.transport;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Looks up the host names of this JVM as usual, except for names for which a test has the name server not answer. */
public final class SlowNames extends InetAddressResolverProvider {
    private static final long HANG_SECONDS = 60;
    private static final Map<String, Name> SLOW = new ConcurrentHashMap<>();

    /** A host name whose lookup lasts until this is closed, and fails then. */
    public static final class Name implements AutoCloseable {
        private final String host;
        private final CompletableFuture<Thread> asked = new CompletableFuture<>();
        private final CountDownLatch closed = new CountDownLatch(1);

        /** Has the lookups of {@code host} wait. */
        public Name(String host) {
            this.host = host;
            SLOW.put(host, this);
        }

        /** Waits until a thread looks the name up, and returns it. */
        public Thread awaitLookup() throws Exception {
            return asked.get(HANG_SECONDS, TimeUnit.SECONDS);
        }

        @Override
        public void close() {
            SLOW.remove(host);
            closed.countDown();
        }

        private void lookUp() throws UnknownHostException {
            asked.complete(Thread.currentThread());
            try {
                closed.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw new UnknownHostException(host);
        }
    }

    @Override
    public String name() {
        return "slow names";
    }

    @Override
    public InetAddressResolver get(Configuration configuration) {
        InetAddressResolver usual = configuration.builtinResolver();
        return new InetAddressResolver() {
            @Override
            public Stream<InetAddress> lookupByName(String host, LookupPolicy policy) throws UnknownHostException {
                Name slow = SLOW.get(host);
                if (slow != null) {
                    slow.lookUp();
                }
                return usual.lookupByName(host, policy);
            }

            @Override
            public String lookupByAddress(byte[] address) throws UnknownHostException {
                return usual.lookupByAddress(address);
            }
        };
    }
}
