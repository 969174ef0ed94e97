package dev.rcc.server.raft;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * Gives the entries that a group has agreed on to a copy of its partition. The state is the copy itself, so a snapshot is only the
 * permission to forget the log. The log is kept from the position of a copy that is behind and, where data is durable, from the node's last
 * snapshot.
 */
final class PartitionMachine extends BaseStateMachine {
    private final PartitionState state;
    private final boolean durable;
    private final Consumer<Throwable> whenFailed;

    /**
     * The machine of a copy.
     *
     * @param durable whether the next incarnation of the node recovers the copy from the log
     * @param whenFailed called when the log can no longer be written
     */
    PartitionMachine(PartitionState state, boolean durable, Consumer<Throwable> whenFailed) {
        this.state = state;
        this.durable = durable;
        this.whenFailed = whenFailed;
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        LogEntryProto entry = transaction.getLogEntry();
        byte[] commands = entry.getStateMachineLogEntry().getLogData().toByteArray();
        byte[] statuses = state.apply(entry.getIndex(), commands);
        updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
        return CompletableFuture.completedFuture(Message.valueOf(UnsafeByteOperations.unsafeWrap(statuses)));
    }

    @Override
    public long takeSnapshot() {
        TermIndex applied = getLastAppliedTermIndex();
        if (applied == null) {
            return RaftLog.INVALID_LOG_INDEX;
        }
        return durable ? state.durableIndex() : applied.getIndex();
    }

    @Override
    public void notifyLogFailed(Throwable cause, LogEntryProto failedEntry) {
        whenFailed.accept(cause);
    }
}
