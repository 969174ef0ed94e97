package dev.rcc.it.example.punctual;

import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionValues;
import dev.rcc.core.protocol.NodeShape;
import dev.rcc.core.protocol.NodeState;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.time.ClusterClock;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Coordinator;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.worker.Worker;
import dev.rcc.protocols.locking.LockingParticipant;
import dev.rcc.protocols.locking.LockingProtocol;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** PUNCTUAL: two-phase locking in which attempts have deadlines, and wait for locks until then. */
public final class Punctual extends LockingProtocol {
    /** The attempt's deadline came before the attempt was ready to commit. */
    public static final AbortReason DEADLINE_PASSED = AbortReason.retryable(200, "DEADLINE_PASSED");

    private static final long NANOS_PER_MILLI = 1_000_000;

    private static final Option PATIENCE = Option.decimal(
                    "punctual.patience-ms",
                    100,
                    0.1,
                    60_000,
                    "milliseconds",
                    "how long after it began an attempt may still commit")
            .withSamples("0.5", "2");

    private final PunctualRules rules;

    /** Creates the protocol; an attempt may commit until 100 milliseconds after it began. */
    public Punctual() {
        this(Duration.ofMillis(100));
    }

    /** Creates the protocol; an attempt may commit until {@code patience} after it began. */
    public Punctual(Duration patience) {
        this(new PunctualRules(patience.toNanos()));
    }

    /** Creates the protocol with other rules, for tests that break them. */
    Punctual(PunctualRules rules) {
        super(rules);
        this.rules = rules;
    }

    @Override
    public String name() {
        return "punctual";
    }

    @Override
    public List<AbortReason> abortReasons() {
        return Stream.concat(super.abortReasons().stream(), Stream.of(DEADLINE_PASSED))
                .toList();
    }

    @Override
    public List<Option> options() {
        return List.of(PATIENCE);
    }

    @Override
    public Protocol with(OptionValues values) {
        return new Punctual(Duration.ofNanos((long) (values.decimal(PATIENCE) * NANOS_PER_MILLI)));
    }

    @Override
    public NodeState nodeState(int node, NodeShape shape) {
        return new NodeTime(node);
    }

    @Override
    public ClusterClock clock(Worker worker, long birthWallNanos) {
        return new PunctualClock(worker, birthWallNanos);
    }

    @Override
    protected LockingParticipant participant(WorkerContext context) {
        return new PunctualParticipant(context, rules);
    }

    @Override
    public Coordinator coordinator(WorkerContext context, Transaction txn) {
        context.nodeState(NodeTime.class).await(txn.coroutine(), rules.waitNanosMax());
        return super.coordinator(context, txn);
    }
}
