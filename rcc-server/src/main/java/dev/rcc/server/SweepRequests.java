package dev.rcc.server;

import dev.rcc.server.membership.Configuration;
import dev.rcc.transport.control.Control;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks for a reconfiguration in which nobody is lost when an attempt has perhaps left a lock behind: while no transaction runs, locks are free
 * to be freed.
 */
final class SweepRequests {
    private static final Logger LOG = LoggerFactory.getLogger(SweepRequests.class);
    private static final String TOPIC = "sweep";
    private static final byte[] DONE = {};
    private static final long AGAIN_MILLIS = 1_000;

    private final Control control;
    private final ScheduledExecutorService thread;
    private final Supplier<Configuration> configuration;
    private final LongConsumer leader;
    /** The last configuration in which this node has asked; used by {@link #thread} alone. */
    private long askedFor = -1;

    /**
     * A node's; the control has not been started.
     *
     * @param thread on which it asks
     * @param configuration the one that is in force
     * @param leader takes the epoch of a configuration in which somebody wants a sweep, in case this node leads
     */
    SweepRequests(
            Control control,
            ScheduledExecutorService thread,
            Supplier<Configuration> configuration,
            LongConsumer leader) {
        this.control = control;
        this.thread = thread;
        this.configuration = configuration;
        this.leader = leader;
        control.serve(TOPIC, this::hear);
    }

    private byte[] hear(int peer, byte[] question) {
        leader.accept(ByteBuffer.wrap(question).getLong());
        return DONE;
    }

    /** Asks soon. Called on workers, which must not wait. */
    void ask() {
        try {
            thread.execute(this::begin);
        } catch (RejectedExecutionException e) {
            LOG.debug("node {} leaves, and asks for nothing any more", control.node(), e);
        }
    }

    private void begin() {
        Configuration now = configuration.get();
        if (now.epoch() > askedFor && now.isMember(control.node(), control.incarnation())) {
            askedFor = now.epoch();
            askAll(now.epoch());
        }
    }

    /** Asks all, whoever leads, until there is another configuration. */
    private void askAll(long epoch) {
        if (configuration.get().epoch() > epoch) {
            return;
        }
        leader.accept(epoch);
        byte[] question = ByteBuffer.allocate(Long.BYTES).putLong(epoch).array();
        for (int peer = 0; peer < control.nodes(); peer++) {
            if (peer != control.node() && control.isUp(peer)) {
                CompletableFuture<byte[]> _ = control.ask(peer, TOPIC, question);
            }
        }
        ScheduledFuture<?> _ = thread.schedule(() -> askAll(epoch), AGAIN_MILLIS, TimeUnit.MILLISECONDS);
    }
}
