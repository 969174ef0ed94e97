package dev.rcc.protocols.calvin;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionValues;
import dev.rcc.core.protocol.NodeShape;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.protocol.SharedWord;
import dev.rcc.core.protocol.WordChange;
import dev.rcc.core.protocol.WordChange.By;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Coordinator;
import dev.rcc.core.txn.Transaction;
import java.util.List;
import java.util.Set;

/** CALVIN: all nodes agree on the order of transactions before they run, so none ever aborts on a conflict (rcc, 4.6). */
public final class Calvin implements Protocol {
    /** The transaction needs other keys than its reconnaissance had found. */
    public static final AbortReason DEPENDENCY_CHANGED = AbortReason.retryable(12, "DEPENDENCY_CHANGED");

    /** The stage in which sequencers broadcast their transactions' inputs. */
    static final int DISPATCH = 0;
    /** The stage in which records go to the nodes that execute the transaction, and its writes to the nodes that hold the records. */
    static final int FORWARD = 1;

    private static final List<String> STAGES = List.of("dispatch", "forward");

    private final CalvinOptions options;

    /** CALVIN with the default options. */
    public Calvin() {
        this(CalvinOptions.DEFAULT);
    }

    /** CALVIN with these options. */
    public Calvin(CalvinOptions options) {
        this.options = options;
    }

    @Override
    public List<Option> options() {
        return CalvinOptions.OPTIONS;
    }

    @Override
    public Protocol with(OptionValues values) {
        return new Calvin(CalvinOptions.of(values));
    }

    @Override
    public String name() {
        return "calvin";
    }

    @Override
    public boolean executesFragments() {
        return options.execution() == Execution.PARTICIPANTS;
    }

    @Override
    public boolean isStrictlySerializable() {
        return true;
    }

    @Override
    public List<AbortReason> abortReasons() {
        return List.of(DEPENDENCY_CHANGED);
    }

    @Override
    public List<String> stages() {
        return STAGES;
    }

    @Override
    public int metadataBytes() {
        return CalvinLayout.METADATA_BYTES;
    }

    @Override
    public Set<WordChange> changes(int stage, Primitive primitive) {
        if (stage == DISPATCH) {
            return Set.of();
        }
        WordChange reserved = new WordChange(SharedWord.INDEX_ENTRY, By.OWNER_CPU);
        return primitive == Primitive.RPC
                ? Set.of(reserved)
                : Set.of(reserved, new WordChange(SharedWord.INDEX_ENTRY, By.REMOTE_WRITE));
    }

    /** Always false: the locks are the workers', not the tuples'. */
    @Override
    public boolean isLocked(Memory memory, long offset) {
        return false;
    }

    @Override
    public boolean marksHolders() {
        return false;
    }

    @Override
    public void recover(
            Memory memory, long offset, long bound) {} // there are no metadata: the locks are the participants'

    @Override
    public long sharedBytes(NodeShape shape) {
        return new CalvinLayout(shape, options.batchBytes()).bytes();
    }

    @Override
    public void serve(WorkerContext context) {
        CalvinParticipant participant = new CalvinParticipant(context, options);
        participant.serve();
        context.state().set(participant);
        context.serveLog(FORWARD);
    }

    @Override
    public Coordinator coordinator(WorkerContext context, Transaction txn) {
        return new CalvinCoordinator(context, txn, context.state().get(CalvinParticipant.class));
    }
}
