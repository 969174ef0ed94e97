package dev.rcc.server.consensus;

import dev.rcc.transport.control.Control;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.proto.RaftProtos.TermIndexProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.util.ProtoUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands for election as soon as the leader's connection is lost, instead of when its heartbeats have been missing for long.
 *
 * <p>The nodes stand one after the other, in the order of their numbers, so that they do not split the vote: each waits a turn for every
 * connected node that has a lower number, and does nothing if there was an election meanwhile. While no node leads, for instance because
 * the first in turn died, too, there are more rounds, with longer turns. An election is safe at any time; at worst it replaces a leader
 * that only this node has lost.
 *
 * <p>If none of this succeeds, Raft's own time-outs elect a leader, as Ratis takes no request to stand in a term of which the log has no
 * entry. This happens when the first in turn lacks an entry, and nodes that have it do not vote for that node. It also happens when the
 * first in turn dies while it stands.
 */
public final class Succession implements Control.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(Succession.class);

    /**
     * Turns of the first round in the shortest election time-out: a turn is longer than an election takes on a machine that is not
     * overloaded, as two nodes that split the vote both wait for such a time-out.
     */
    private static final int TURNS_IN_TIMEOUT = 3;

    private static final int ROUNDS_MAX = 10;

    /** The pause between two elections of a group that has just begun; and their largest number, after which its time-outs elect a leader. */
    private static final long STAND_NANOS = 10_000_000;

    private static final int STANDS_MAX = 50;

    private final Control control;
    private final RaftServer server;
    private final ControlRpc rpc;
    private final Supplier<? extends Collection<RaftGroupId>> groups;
    private final Duration turn;
    private final Executor threads = Executors.newVirtualThreadPerTaskExecutor();

    /**
     * The succession on the node of {@code server}.
     *
     * @param groups the groups that the node is a member of now
     * @param electionMin the shortest time after which their elections time out
     */
    public Succession(
            Control control,
            RaftServer server,
            Supplier<? extends Collection<RaftGroupId>> groups,
            Duration electionMin) {
        this.control = control;
        this.server = server;
        this.rpc = (ControlRpc) server.getServerRpc();
        this.groups = groups;
        this.turn = electionMin.dividedBy(TURNS_IN_TIMEOUT);
    }

    @Override
    public void up(int peer, long incarnation) {
        // Only the loss of a leader matters.
    }

    @Override
    public void down(int peer) {
        groups.get().forEach(group -> threadAfter(0, () -> standInTurn(group, peer, 1)));
    }

    private void standInTurn(RaftGroupId group, int lost, int round) throws IOException {
        DivisionInfo info = info(group);
        if (round > ROUNDS_MAX || !lacksLeader(info)) {
            return;
        }
        long term = info.getCurrentTerm();
        int before = connectedBelow(control.node(), lost);
        int turns = connectedBelow(control.nodes(), lost) + 1;
        threadAfter((long) before * round, () -> {
            standUnlessElected(group, lost, term);
            threadAfter((long) (turns - before) * round, () -> standInTurn(group, lost, round + 1));
        });
    }

    /** The number of connected nodes among the first {@code nodes} ones, without the lost node and this node. */
    private int connectedBelow(int nodes, int lost) {
        return (int) IntStream.range(0, nodes)
                .filter(node -> node != lost && node != control.node() && control.isUp(node))
                .count();
    }

    /**
     * Has this node stand for election in a group that has just begun, again and again until the group has a leader: other members may begin it
     * some time later.
     */
    public void stand(RaftGroupId group) {
        standAgain(group, STANDS_MAX);
    }

    private void standAgain(RaftGroupId group, int left) {
        thread(STAND_NANOS, () -> {
            DivisionInfo info = info(group);
            if (info.getLeaderId() != null || left == 0) {
                return;
            }
            if (info.isFollower()) {
                var _ = rpc.stand(request(group, server.getId(), info.getCurrentTerm()));
            }
            standAgain(group, left - 1);
        });
    }

    /** Whether this node knows no connected leader. If it knows no leader at all, a lost node may have been elected. */
    private boolean lacksLeader(DivisionInfo info) {
        RaftPeerId leader = info.getLeaderId();
        if (leader == null) {
            return true;
        }
        int node = ControlRpc.node(leader);
        return node != control.node() && !control.isUp(node);
    }

    private void standUnlessElected(RaftGroupId group, int lost, long term) throws IOException {
        DivisionInfo info = info(group);
        if (info.isFollower() && info.getCurrentTerm() == term && lacksLeader(info)) {
            LOG.debug("node {} stands for election in place of node {}", control.node(), lost);
            RaftPeerId leader = info.getLeaderId();
            var _ = rpc.stand(request(group, leader == null ? ControlRpc.peerId(lost) : leader, term));
        }
    }

    private DivisionInfo info(RaftGroupId group) throws IOException {
        return server.getDivision(group).getInfo();
    }

    /** The request that a leader sends to a node that is to succeed it. */
    private StartLeaderElectionRequestProto request(RaftGroupId group, RaftPeerId leader, long term) {
        return StartLeaderElectionRequestProto.newBuilder()
                .setServerRequest(RaftRpcRequestProto.newBuilder()
                        .setRequestorId(leader.toByteString())
                        .setReplyId(server.getId().toByteString())
                        .setRaftGroupId(ProtoUtils.toRaftGroupIdProtoBuilder(group)))
                .setLeaderLastEntry(TermIndexProto.newBuilder().setTerm(term))
                .build();
    }

    private void threadAfter(long turns, Step step) {
        thread(turn.multipliedBy(turns).toNanos(), step);
    }

    private void thread(long nanos, Step step) {
        CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, threads).execute(() -> {
            try {
                step.run();
            } catch (IOException | RuntimeException e) {
                LOG.debug("node {} does not stand for election", control.node(), e);
            }
        });
    }

    /** A task for a thread of its own. */
    private interface Step {
        void run() throws IOException;
    }
}
