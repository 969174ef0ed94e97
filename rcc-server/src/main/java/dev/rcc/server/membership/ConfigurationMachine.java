package dev.rcc.server.membership;

import dev.rcc.core.cluster.Placement;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the entries of the group's log; each entry is a configuration. An entry that begins a change has the epoch of the configuration
 * that it changes; an entry that ends a change has the next epoch. All other entries come from leaders that had not received a change, and
 * are passed over. The log is kept whole: it has some entries for each node that was ever lost, so no snapshot is needed.
 */
final class ConfigurationMachine extends BaseStateMachine {
    /** The answer to a proposal that is in force. */
    static final Message TAKEN = Message.valueOf("taken");

    static final Message PASSED_OVER = Message.valueOf("passed over");

    private static final Logger LOG = LoggerFactory.getLogger(ConfigurationMachine.class);

    private final Consumer<Configuration> listener;
    private final Consumer<Throwable> whenFailed;
    private volatile Configuration configuration;

    /**
     * The machine of a node.
     *
     * @param listener called with each configuration that is agreed on, one after the other
     * @param whenFailed called when the log can no longer be written
     */
    ConfigurationMachine(Placement home, Consumer<Configuration> listener, Consumer<Throwable> whenFailed) {
        this.configuration = Configuration.none(home);
        this.listener = listener;
        this.whenFailed = whenFailed;
    }

    Configuration configuration() {
        return configuration;
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        LogEntryProto entry = transaction.getLogEntry();
        ByteString bytes = entry.getStateMachineLogEntry().getLogData();
        Message answer = PASSED_OVER;
        try {
            Configuration next = Configuration.of(bytes.toByteArray());
            long expected = next.changing() ? configuration.epoch() : configuration.epoch() + 1;
            if (next.epoch() == expected) {
                configuration = next;
                answer = TAKEN;
                listener.accept(next);
            }
        } catch (RuntimeException e) {
            LOG.error(
                    "event=membership_entry_invalid index={}: the entry of the membership's log cannot be applied",
                    entry.getIndex(),
                    e);
        }
        updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
        return CompletableFuture.completedFuture(answer);
    }

    @Override
    public void notifyLogFailed(Throwable cause, LogEntryProto failedEntry) {
        whenFailed.accept(cause);
    }
}
