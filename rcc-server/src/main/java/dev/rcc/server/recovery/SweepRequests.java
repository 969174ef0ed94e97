package dev.rcc.server.recovery;

import dev.rcc.transport.control.Control;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the leader for another configuration when an attempt on this node may have left a lock behind. */
final class SweepRequests {
    private static final Logger LOG = LoggerFactory.getLogger(SweepRequests.class);
    private static final String TOPIC = "sweep";
    private static final byte[] NOTHING = {};
    private static final long AGAIN_MILLIS = 1_000;

    private final Control control;
    private final MemberState state;
    private final LongConsumer leader;
    private final ScheduledExecutorService thread;
    /** The last configuration in which this node has asked for a sweep; used by {@link #thread} alone. */
    private long askedFor = -1;

    /**
     * Receives peers' requests as soon as they are let in.
     *
     * @param leader called, on this node and on any thread, with the epoch of the configuration that another one is to follow
     * @param thread the thread that asks the peers
     */
    SweepRequests(Control control, MemberState state, LongConsumer leader, ScheduledExecutorService thread) {
        this.control = control;
        this.state = state;
        this.leader = leader;
        this.thread = thread;
        control.serve(TOPIC, (peer, question) -> {
            leader.accept(ByteBuffer.wrap(question).getLong());
            return NOTHING;
        });
    }

    /** Called on workers, which must not wait. */
    void askLater() {
        try {
            thread.execute(this::ask);
        } catch (RejectedExecutionException e) {
            LOG.debug("node {} leaves, and asks for nothing any more", control.node(), e);
        }
    }

    /** Asks all nodes, as any may lead, until there is another configuration: its change frees locks while no transaction runs. */
    private void ask() {
        long epoch = state.configuration().epoch();
        if (epoch > askedFor && state.isMember()) {
            askedFor = epoch;
            ask(epoch);
        }
    }

    private void ask(long epoch) {
        if (state.configuration().epoch() > epoch) {
            return;
        }
        leader.accept(epoch);
        byte[] question = ByteBuffer.allocate(Long.BYTES).putLong(epoch).array();
        List<CompletableFuture<byte[]>> _ = control.askOthers(TOPIC, question);
        ScheduledFuture<?> _ = thread.schedule(() -> ask(epoch), AGAIN_MILLIS, TimeUnit.MILLISECONDS);
    }
}
