package dev.rcc.server.raft;

import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * Gives what a group has agreed on to a copy of its partition. The state is the copy itself, so a snapshot is nothing but the permission to
 * forget the log: it is kept from where a copy is that is behind.
 */
final class PartitionMachine extends BaseStateMachine {
    private final PartitionState state;

    PartitionMachine(PartitionState state) {
        this.state = state;
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        LogEntryProto entry = transaction.getLogEntry();
        byte[] commands = entry.getStateMachineLogEntry().getLogData().toByteArray();
        byte[] statuses = state.apply(commands);
        updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
        return CompletableFuture.completedFuture(Message.valueOf(UnsafeByteOperations.unsafeWrap(statuses)));
    }

    @Override
    public long takeSnapshot() {
        TermIndex applied = getLastAppliedTermIndex();
        return applied == null ? -1 : applied.getIndex();
    }
}
