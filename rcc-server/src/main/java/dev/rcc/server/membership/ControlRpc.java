package dev.rcc.server.membership;

import dev.rcc.transport.control.Control;
import dev.rcc.transport.control.ControlFailure;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionReplyProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.RaftServerRpc;
import org.apache.ratis.util.LifeCycle;

/**
 * The messages of a Raft group as questions of the control channel: a byte that says which, and the message. So they go where the
 * nodes' other messages go, through the same addresses, the same TLS and the same faults.
 */
final class ControlRpc implements RaftServerRpc {
    static final String TOPIC = "raft";

    private static final String PEER_PREFIX = "n";

    private static final byte VOTE = 1;
    private static final byte APPEND = 2;
    private static final byte SNAPSHOT = 3;
    private static final byte START_ELECTION = 4;

    private final RaftServer server;
    private final Control control;
    private final RpcType type;
    private final long timeoutMillis;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private volatile boolean hasStarted;

    ControlRpc(RaftServer server, Control control, RpcType type) {
        this.server = server;
        this.control = control;
        this.type = type;
        this.timeoutMillis =
                RaftServerConfigKeys.Rpc.requestTimeout(server.getProperties()).toLong(TimeUnit.MILLISECONDS);
    }

    /** The name of a node in its group. */
    static RaftPeerId peerId(int node) {
        return RaftPeerId.valueOf(PEER_PREFIX + node);
    }

    /** The node of that name. */
    static int node(RaftPeerId peer) {
        return Integer.parseInt(peer.toString().substring(PEER_PREFIX.length()));
    }

    /** The server has started: it knows its role, and takes messages. Before, Ratis would log each of them as an error. */
    void serverHasStarted() {
        hasStarted = true;
    }

    /** Answers a question of the topic. */
    CompletableFuture<byte[]> answer(byte[] question) {
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        try {
            threads.execute(() -> {
                try {
                    begin(question, answer);
                } catch (IOException | RuntimeException e) {
                    answer.completeExceptionally(refusal(e));
                }
            });
        } catch (RejectedExecutionException e) {
            answer.completeExceptionally(refusal(e));
        }
        return answer;
    }

    /** A node that comes or goes does not answer, and that is no error. */
    private static ControlFailure refusal(Throwable cause) {
        return new ControlFailure("this node takes no part: " + cause);
    }

    private void begin(byte[] question, CompletableFuture<byte[]> answer) throws IOException {
        for (RaftGroupId group : server.getGroupIds()) {
            if (!hasStarted || server.getDivision(group).getInfo().getLifeCycleState() != LifeCycle.State.RUNNING) {
                throw new IllegalStateException(
                        "it has not started, or has ended"); // Ratis would log it, and all of it
            }
        }
        byte[] message = Arrays.copyOfRange(question, 1, question.length);
        switch (question[0]) {
            case VOTE ->
                answer.complete(server.requestVote(RequestVoteRequestProto.parseFrom(message))
                        .toByteArray());
            case APPEND -> {
                CompletableFuture<AppendEntriesReplyProto> _ = server.appendEntriesAsync(
                                AppendEntriesRequestProto.parseFrom(message))
                        .whenComplete((reply, failure) -> {
                            if (failure == null) {
                                answer.complete(reply.toByteArray());
                            } else {
                                answer.completeExceptionally(refusal(failure));
                            }
                        });
            }
            case SNAPSHOT ->
                answer.complete(server.installSnapshot(InstallSnapshotRequestProto.parseFrom(message))
                        .toByteArray());
            case START_ELECTION ->
                answer.complete(server.startLeaderElection(StartLeaderElectionRequestProto.parseFrom(message))
                        .toByteArray());
            default -> throw new IllegalArgumentException("a message of the unknown kind " + question[0]);
        }
    }

    private byte[] ask(RaftRpcRequestProto header, byte kind, byte[] message) throws IOException {
        byte[] question = new byte[1 + message.length];
        question[0] = kind;
        System.arraycopy(message, 0, question, 1, message.length);
        int peer = node(RaftPeerId.valueOf(header.getReplyId()));
        try {
            return control.ask(peer, TOPIC, question).get(timeoutMillis, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("node " + peer + " does not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("node " + peer + " was asked").initCause(e);
        }
    }

    @Override
    public RequestVoteReplyProto requestVote(RequestVoteRequestProto request) throws IOException {
        return RequestVoteReplyProto.parseFrom(ask(request.getServerRequest(), VOTE, request.toByteArray()));
    }

    @Override
    public AppendEntriesReplyProto appendEntries(AppendEntriesRequestProto request) throws IOException {
        return AppendEntriesReplyProto.parseFrom(ask(request.getServerRequest(), APPEND, request.toByteArray()));
    }

    @Override
    public InstallSnapshotReplyProto installSnapshot(InstallSnapshotRequestProto request) throws IOException {
        return InstallSnapshotReplyProto.parseFrom(ask(request.getServerRequest(), SNAPSHOT, request.toByteArray()));
    }

    @Override
    public StartLeaderElectionReplyProto startLeaderElection(StartLeaderElectionRequestProto request)
            throws IOException {
        return StartLeaderElectionReplyProto.parseFrom(
                ask(request.getServerRequest(), START_ELECTION, request.toByteArray()));
    }

    @Override
    public void start() {
        // The control channel is there already.
    }

    /** An address at which no socket listens: the control channel knows the addresses. */
    @Override
    public InetSocketAddress getInetSocketAddress() {
        return InetSocketAddress.createUnresolved(server.getId().toString(), 0);
    }

    @Override
    public void addRaftPeers(Collection<RaftPeer> peers) {
        // Their names say which nodes they are.
    }

    @Override
    public void handleException(RaftPeerId peer, Exception e, boolean reconnect) {
        // The control channel reconnects by itself.
    }

    @Override
    public RpcType getRpcType() {
        return type;
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}
