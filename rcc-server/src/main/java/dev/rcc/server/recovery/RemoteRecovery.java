package dev.rcc.server.recovery;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.replication.LogReport;
import dev.rcc.server.recovery.RecoveryOrder.Step;
import dev.rcc.transport.control.Control;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The part of a node in a reconfiguration, as its leader sees it: each step is an order to the node, which carries it out. */
final class RemoteRecovery implements RecoverySteps {
    /** A topic of the control channel. */
    static final String TOPIC = "recovery";
    /** The part of a report that one answer holds, in bytes. */
    static final int CHUNK_BYTES = 1 << 19;

    private static final BitSet NONE = new BitSet();

    private final Control control;
    private final int node;
    private final long incarnation;
    private final long term;
    private final long round;
    private final long configEpoch;
    private final Placement anywhere;

    /**
     * A node's part in a round of a leader.
     *
     * @param incarnation the incarnation of the node that takes part
     * @param anywhere a placement for steps that need none
     */
    RemoteRecovery(
            Control control, int node, long incarnation, long term, long round, long configEpoch, Placement anywhere) {
        this.control = control;
        this.node = node;
        this.incarnation = incarnation;
        this.term = term;
        this.round = round;
        this.configEpoch = configEpoch;
        this.anywhere = anywhere;
    }

    private CompletableFuture<byte[]> tell(
            Step step, BitSet nodes, Placement before, Placement after, long number, int who, Set<Long> committed) {
        RecoveryOrder order = new RecoveryOrder(
                incarnation, term, round, configEpoch, step, nodes, before, after, number, who, committed);
        return control.ask(node, TOPIC, order.toBytes());
    }

    private static CompletableFuture<Void> done(CompletableFuture<byte[]> answer) {
        return answer.thenAccept(bytes -> {});
    }

    @Override
    public CompletableFuture<Void> freeze(BitSet absent, Placement before) {
        return done(tell(Step.FREEZE, absent, before, anywhere, 0, 0, Set.of()));
    }

    @Override
    public CompletableFuture<Void> settle(BitSet absent) {
        return done(tell(Step.SETTLE, absent, anywhere, anywhere, 0, 0, Set.of()));
    }

    @Override
    public CompletableFuture<LogReport> report(BitSet lost) {
        return tell(Step.REPORT, lost, anywhere, anywhere, 0, 0, Set.of())
                .thenCompose(chunk -> more(new ByteArrayOutputStream(), chunk))
                .thenApply(RecoveryOrder::report);
    }

    private CompletableFuture<byte[]> more(ByteArrayOutputStream report, byte[] chunk) {
        report.writeBytes(chunk);
        return chunk.length < CHUNK_BYTES
                ? CompletableFuture.completedFuture(report.toByteArray())
                : tell(Step.REPORT_MORE, NONE, anywhere, anywhere, report.size(), 0, Set.of())
                        .thenCompose(next -> more(report, next));
    }

    @Override
    public CompletableFuture<Long> replay(Set<Long> committed) {
        return tell(Step.REPLAY, NONE, anywhere, anywhere, 0, 0, committed)
                .thenApply(bytes -> ByteBuffer.wrap(bytes).getLong());
    }

    @Override
    public CompletableFuture<Void> welcome(int joiner, long incarnation) {
        return done(tell(Step.WELCOME, NONE, anywhere, anywhere, incarnation, joiner, Set.of()));
    }

    @Override
    public CompletableFuture<Void> copy(Placement before, Placement after, long bound) {
        return done(tell(Step.COPY, NONE, before, after, bound, 0, Set.of()));
    }

    @Override
    public CompletableFuture<Void> install(Placement before, Placement after, long bound, BitSet lost) {
        return done(tell(Step.INSTALL, lost, before, after, bound, 0, Set.of()));
    }

    @Override
    public CompletableFuture<Void> save(long nextEpoch, Placement after, long bound) {
        return done(tell(Step.SAVE, NONE, anywhere, after, bound, 0, Set.of()));
    }
}
