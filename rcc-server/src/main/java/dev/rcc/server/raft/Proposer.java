package dev.rcc.server.raft;

import dev.rcc.core.memory.Memory;
import dev.rcc.server.consensus.ControlRpc;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.rpc.CallId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * Proposes commands to a group that this node may lead: all commands that workers have given it since the last time go into one entry of
 * the log. When nothing is under way, a command goes at once. For any thread; the commands are copied, and no caller waits.
 */
final class Proposer {
    /** The commands of one entry of the log have at most so many bytes, or there is only one command. */
    private static final int BATCH_BYTES = 128 * 1024;
    /**
     * An entry of the log costs all members much more than the commands in it. So commands that come while the group has not agreed on the
     * last entry go into the next one. That entry is proposed when the group has agreed, or after this time: otherwise, groups whose
     * members are far apart would carry little.
     */
    private static final long GAP_NANOS = 10_000_000;

    private final RaftServer server;
    private final RaftGroupId group;
    private final Executor threads;
    private final ClientId client = ClientId.randomId();
    private final Queue<Batch> full = new ArrayDeque<>();
    private Batch filling = new Batch();
    private boolean running;

    /** The proposer of a group that the server has. */
    Proposer(RaftServer server, RaftGroupId group, Executor threads) {
        this.server = server;
        this.group = group;
        this.threads = threads;
    }

    /** Receives the status of commands; called on any thread. */
    interface Proposal {
        /**
         * A command has ended.
         *
         * @param item the number of the command, among those of the proposal
         * @param word see {@link Status}
         */
        void done(int item, long word);
    }

    private static final class Batch {
        private byte[] bytes = new byte[1024];
        private int end;
        private final List<Proposal> proposals = new ArrayList<>();
        private int[] items = new int[16];
        private final CountDownLatch ended = new CountDownLatch(1);

        /** Makes room for a command; returns its offset. */
        int add(int size, Proposal proposal, int item) {
            if (end + size > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, end + size));
            }
            if (proposals.size() == items.length) {
                items = Arrays.copyOf(items, 2 * items.length);
            }
            items[proposals.size()] = item;
            proposals.add(proposal);
            int at = end;
            end += size;
            return at;
        }
    }

    /** Proposes a command with an entry, which is in {@code memory}. */
    synchronized void log(int kind, long log, Memory memory, long entry, int bytes, Proposal proposal, int item) {
        Batch batch = batch(Command.HEADER_BYTES + bytes);
        int at = batch.add(Command.HEADER_BYTES + bytes, proposal, item);
        Command.put(batch.bytes, at, kind, bytes, log);
        memory.getBytes(entry, batch.bytes, at + Command.HEADER_BYTES, bytes);
        run();
    }

    /** Proposes a command without an entry. */
    synchronized void propose(int kind, long word, Proposal proposal, int item) {
        Batch batch = batch(Command.HEADER_BYTES);
        int at = batch.add(Command.HEADER_BYTES, proposal, item);
        Command.put(batch.bytes, at, kind, 0, word);
        run();
    }

    private Batch batch(int bytes) {
        if (filling.end > 0 && filling.end + bytes > BATCH_BYTES) {
            full.add(filling);
            filling = new Batch();
        }
        return filling;
    }

    private void run() {
        if (!running) {
            threads.execute(this::submitAll);
            running = true;
        }
    }

    private void submitAll() {
        for (Batch batch = take(); batch != null; batch = take()) {
            submit(batch);
            awaitEnd(batch);
        }
    }

    private static void awaitEnd(Batch batch) {
        try {
            boolean _ = batch.ended.await(GAP_NANOS, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // no thread does this
        }
    }

    private synchronized Batch take() {
        Batch batch = full.poll();
        if (batch == null && filling.end > 0) {
            batch = filling;
            filling = new Batch();
        }
        running = batch != null;
        return batch;
    }

    private void submit(Batch batch) {
        ByteString commands = UnsafeByteOperations.unsafeWrap(Arrays.copyOf(batch.bytes, batch.end));
        RaftClientRequest request = RaftClientRequest.newBuilder()
                .setClientId(client)
                .setServerId(server.getId())
                .setGroupId(group)
                .setCallId(CallId.getAndIncrement())
                .setMessage(Message.valueOf(commands))
                .setType(RaftClientRequest.writeRequestType())
                .build();
        try {
            // Calls the group itself: the server would do this on one of its threads, and wait for it.
            RaftClientAsynchronousProtocol division = (RaftClientAsynchronousProtocol) server.getDivision(group);
            var _ = division.submitClientRequestAsync(request)
                    .whenComplete((reply, failure) -> done(batch, failure == null ? reply : null));
        } catch (IOException | RuntimeException e) {
            done(batch, null); // the group is gone, or not there yet
        }
    }

    private void done(Batch batch, RaftClientReply reply) {
        batch.ended.countDown();
        boolean isLogged = reply != null && reply.isSuccess();
        ByteString statuses = isLogged ? reply.getMessage().getContent() : ByteString.EMPTY;
        int leader = reply == null ? -1 : leader(reply);
        for (int i = 0; i < batch.proposals.size(); i++) {
            int status = isLogged ? statuses.byteAt(i) : Status.AGAIN;
            batch.proposals.get(i).done(batch.items[i], Status.word(status, leader));
        }
    }

    private static int leader(RaftClientReply reply) {
        RaftPeer leader = reply.getNotLeaderException() == null
                ? null
                : reply.getNotLeaderException().getSuggestedLeader();
        return leader == null ? -1 : ControlRpc.node(leader.getId());
    }
}
