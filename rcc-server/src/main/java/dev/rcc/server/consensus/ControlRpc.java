package dev.rcc.server.consensus;

import dev.rcc.server.consensus.ControlRpcType.Channel;
import dev.rcc.transport.control.Control;
import dev.rcc.transport.control.ControlFailure;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
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
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.util.LifeCycle;
import org.apache.ratis.util.ProtoUtils;

/**
 * The messages of a Raft group as questions of the control channel: a byte for the kind, and the message. So they take the way of
 * the nodes' other messages, with the same addresses, the same TLS and the same faults.
 */
public final class ControlRpc implements RaftServerRpc {
    private static final String PEER_PREFIX = "n";

    static final byte VOTE = 1;
    static final byte APPEND = 2;
    private static final byte SNAPSHOT = 3;
    private static final byte START_ELECTION = 4;

    /** A question is answered after so many request time-outs at the latest; the asking node has given up after one. */
    private static final int ANSWER_TIMEOUTS = 3;

    private static final String NO_PART = "it has not started, or has ended";

    private final RaftServer server;
    private final Control control;
    private final Channel channel;
    private final RpcType type;
    private final long timeoutMillis;
    private final Executor threads = Thread::startVirtualThread;
    /** The groups that take part. */
    private final Map<RaftGroupId, Started> started = new ConcurrentHashMap<>();
    /** The nodes that are cut off. */
    private final Set<Integer> fenced = ConcurrentHashMap.newKeySet();

    /**
     * A group that takes part.
     *
     * @param order keeps its leader's entries in their order where several messages are on their way at once
     * @param gate lets its messages in
     */
    private record Started(InOrder order, MessageGate gate) {}

    ControlRpc(RaftServer server, Control control, Channel channel, RpcType type) {
        this.server = server;
        this.control = control;
        this.channel = channel;
        this.type = type;
        this.timeoutMillis =
                RaftServerConfigKeys.Rpc.requestTimeout(server.getProperties()).toLong(TimeUnit.MILLISECONDS);
    }

    /** The name of a node in its group. */
    public static RaftPeerId peerId(int node) {
        return RaftPeerId.valueOf(PEER_PREFIX + node);
    }

    /** The node with a name. */
    public static int node(RaftPeerId peer) {
        return Integer.parseInt(peer.toString().substring(PEER_PREFIX.length()));
    }

    /** A group has started here: it knows its role, and takes messages. Before, Ratis would log each of them as an error. */
    public void hasStarted(RaftGroupId group) {
        Duration limit = Duration.ofMillis(timeoutMillis);
        started.put(group, new Started(new InOrder(threads, limit), new MessageGate(limit)));
    }

    /** A group ends here, and takes no messages any more. */
    public void ends(RaftGroupId group) {
        started.remove(group);
    }

    /**
     * Cuts a node off, even if it is connected: from now on, messages of it are refused, and none is sent to it. The other members go on without it;
     * a leader that is cut off leads no longer.
     */
    public void fence(int peer) {
        fenced.add(peer);
    }

    /** Lets in a node that was cut off. */
    public void admit(int peer) {
        fenced.remove(peer);
    }

    /**
     * Answers a question of the topic. Called in the order in which a peer asks. Whatever Ratis does, there is an answer after a limited
     * time: questions without an answer would keep the peer from asking other ones.
     *
     * @param peer the node that asks
     */
    public CompletableFuture<byte[]> answer(int peer, byte[] question) {
        if (fenced.contains(peer)) {
            return CompletableFuture.failedFuture(isCutOff(peer));
        }
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        attempt(() -> begin(question, answer), answer);
        return answer.orTimeout(ANSWER_TIMEOUTS * timeoutMillis, TimeUnit.MILLISECONDS)
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(refusal(failure)));
    }

    private void begin(byte[] question, CompletableFuture<byte[]> answer) throws IOException {
        byte[] message = Arrays.copyOfRange(question, 1, question.length);
        if (question[0] != APPEND) {
            threads.execute(() -> attempt(() -> answer.complete(answer(question[0], message)), answer));
            return;
        }
        AppendEntriesRequestProto request = AppendEntriesRequestProto.parseFrom(message);
        RaftGroupId group = group(request.getServerRequest());
        Executor order = channel.isPipelined() ? started(group).order() : threads;
        order.execute(() -> attempt(() -> append(group, request, answer), answer));
    }

    /** Takes a step. Errors are answers, too: a peer must not wait for a group that has ended here. */
    private static void attempt(Step step, CompletableFuture<byte[]> answer) {
        try {
            step.run();
        } catch (IOException | RuntimeException | Error e) {
            answer.completeExceptionally(refusal(e));
        }
    }

    /** A part of an answer. */
    private interface Step {
        void run() throws IOException;
    }

    /** The failure that a peer receives. A node that starts or ends does not answer, and that is no error. */
    private static ControlFailure refusal(Throwable cause) {
        return cause instanceof ControlFailure refused
                ? refused
                : new ControlFailure("this node cannot answer for the group: " + cause);
    }

    private ControlFailure isCutOff(int peer) {
        return new ControlFailure("node " + control.node() + " has cut node " + peer + " off");
    }

    private static RaftGroupId group(RaftRpcRequestProto header) {
        return ProtoUtils.toRaftGroupId(header.getRaftGroupId());
    }

    private Started started(RaftGroupId group) {
        Started part = started.get(group);
        if (part == null) {
            throw new IllegalStateException(NO_PART);
        }
        return part;
    }

    /** A group that has not started here, or has ended, takes no part: Ratis would log each of its messages as an error. */
    private void checkRuns(RaftGroupId group) throws IOException {
        if (!started.containsKey(group)
                || server.getDivision(group).getInfo().getLifeCycleState() != LifeCycle.State.RUNNING) {
            throw new IllegalStateException(NO_PART);
        }
    }

    /** Gives Ratis a message of a group that takes part, when no other message of the group is under way. */
    private <T> T alone(RaftRpcRequestProto header, MessageGate.Call<T> call) throws IOException {
        RaftGroupId group = group(header);
        return started(group).gate().alone(() -> {
            checkRuns(group); // it may have ended while the message waited
            return call.call();
        });
    }

    private void append(RaftGroupId group, AppendEntriesRequestProto request, CompletableFuture<byte[]> answer)
            throws IOException {
        CompletableFuture<AppendEntriesReplyProto> _ = started(group)
                .gate()
                .append(request, () -> {
                    checkRuns(group);
                    return server.appendEntriesAsync(withCommitShown(request));
                })
                .whenComplete((reply, failure) -> {
                    if (failure == null) {
                        answer.complete(reply.toByteArray());
                    } else {
                        answer.completeExceptionally(refusal(failure));
                    }
                });
    }

    /**
     * A leader's message shows which of the follower's entries are the leader's: the entries up to the last one that the message brings or,
     * if it brings none, up to the entry that it names as the previous one. The follower may take only these entries as committed on the
     * leader's word (Raft, 5.3). Ratis takes a message without a previous entry for one that follows entry 0. So a follower that had
     * written entry 0 itself, as a leader without followers, would commit it with the next leader's first heartbeat. It could then never
     * take an entry from that leader.
     */
    private static AppendEntriesRequestProto withCommitShown(AppendEntriesRequestProto request) {
        int entries = request.getEntriesCount();
        long before = request.hasPreviousLog() ? request.getPreviousLog().getIndex() : RaftLog.INVALID_LOG_INDEX;
        long shown = entries > 0 ? request.getEntries(entries - 1).getIndex() : before;
        return request.getLeaderCommit() <= shown
                ? request
                : request.toBuilder().setLeaderCommit(shown).build();
    }

    private byte[] answer(byte kind, byte[] message) throws IOException {
        return switch (kind) {
            case VOTE -> {
                RequestVoteRequestProto request = RequestVoteRequestProto.parseFrom(message);
                yield alone(request.getServerRequest(), () -> server.requestVote(request))
                        .toByteArray();
            }
            case SNAPSHOT -> {
                InstallSnapshotRequestProto request = InstallSnapshotRequestProto.parseFrom(message);
                yield alone(request.getServerRequest(), () -> server.installSnapshot(request))
                        .toByteArray();
            }
            case START_ELECTION -> {
                yield stand(StartLeaderElectionRequestProto.parseFrom(message)).toByteArray();
            }
            default -> throw new IllegalArgumentException("a message of the unknown kind " + kind);
        };
    }

    /**
     * Has this node stand for election in a group.
     *
     * @throws IllegalStateException if the group has not started here, or has ended
     */
    StartLeaderElectionReplyProto stand(StartLeaderElectionRequestProto request) throws IOException {
        return alone(request.getServerRequest(), () -> server.startLeaderElection(request));
    }

    /** Sends a leader's entries, and does not wait for the reply. */
    CompletableFuture<AppendEntriesReplyProto> appendLater(AppendEntriesRequestProto request) {
        int peer = node(RaftPeerId.valueOf(request.getServerRequest().getReplyId()));
        return ask(peer, question(APPEND, request.toByteArray()))
                .orTimeout(timeoutMillis, TimeUnit.MILLISECONDS)
                .thenApply(reply -> {
                    try {
                        return AppendEntriesReplyProto.parseFrom(reply);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    /** A question of the topic: the kind of message, and the message. */
    static byte[] question(byte kind, byte[] message) {
        byte[] question = new byte[1 + message.length];
        question[0] = kind;
        System.arraycopy(message, 0, question, 1, message.length);
        return question;
    }

    private CompletableFuture<byte[]> ask(int peer, byte[] question) {
        return fenced.contains(peer)
                ? CompletableFuture.failedFuture(isCutOff(peer))
                : control.ask(peer, channel.topic(), question);
    }

    private byte[] ask(RaftRpcRequestProto header, byte kind, byte[] message) throws IOException {
        int peer = node(RaftPeerId.valueOf(header.getReplyId()));
        try {
            return ask(peer, question(kind, message)).get(timeoutMillis, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("node " + peer + " does not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("node " + peer + " was asked").initCause(e);
        }
    }

    @Override
    public RequestVoteReplyProto requestVote(RequestVoteRequestProto request) throws IOException {
        RequestVoteReplyProto reply =
                RequestVoteReplyProto.parseFrom(ask(request.getServerRequest(), VOTE, request.toByteArray()));
        // Not said, the voter's log counts as one that is not empty. The voter itself has compared the logs.
        return channel.hasFreshLogs() ? reply.toBuilder().clearLastEntry().build() : reply;
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
        // The control channel runs already.
    }

    /** An address at which no socket listens: the control channel has the addresses. */
    @Override
    public InetSocketAddress getInetSocketAddress() {
        return InetSocketAddress.createUnresolved(server.getId().toString(), 0);
    }

    @Override
    public void addRaftPeers(Collection<RaftPeer> peers) {
        // Their names contain the numbers of their nodes.
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
        started.clear();
    }
}
