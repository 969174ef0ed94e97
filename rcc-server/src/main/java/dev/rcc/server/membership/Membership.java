package dev.rcc.server.membership;

import dev.rcc.core.cluster.Placement;
import dev.rcc.server.consensus.ControlRpc;
import dev.rcc.server.consensus.ControlRpcType;
import dev.rcc.server.consensus.Succession;
import dev.rcc.server.durability.Disk;
import dev.rcc.server.durability.OwnerOnly;
import dev.rcc.transport.control.Control;
import dev.rcc.transport.control.ControlFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.rpc.CallId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.RaftServerConfigKeys.Log.CorruptionPolicy;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/**
 * A node's part in the group that agrees on the configuration. The course is: create, before the control channel starts;
 * {@link #start}, after that; {@link #close}. Methods may be called on any thread.
 */
public final class Membership implements AutoCloseable {
    /** Far apart, so that two nodes rarely stand for election at the same time, however busy the machine. */
    private static final Duration ELECTION_MIN = Duration.ofMillis(500);

    private static final Duration ELECTION_MAX = Duration.ofMillis(1_500);
    private static final TimeDuration REQUEST = TimeDuration.valueOf(1_000, TimeUnit.MILLISECONDS);
    /** A process that was stopped for long goes on: its peers send it the entries that it missed. */
    private static final TimeDuration NEVER = TimeDuration.valueOf(10_000, TimeUnit.DAYS);

    /** The pauses of a leader before it sends to a node again that did not answer: their lengths, and how many of each. */
    private static final String SOON = "10ms,20, 100ms,1000000";

    private static final SizeInBytes SMALL = SizeInBytes.valueOf("64KB");
    private static final SizeInBytes MIDDLE = SizeInBytes.valueOf("128KB");
    private static final SizeInBytes SEGMENT = SizeInBytes.valueOf("1MB");

    /** A topic of the control channel. */
    private static final String TOPIC = "raft";

    private static final String LAST_TOPIC = "raft.last";

    private final Control control;
    private final Placement home;
    private final RaftGroupId groupId;
    private final ConfigurationMachine machine;
    private final RaftServer server;
    private final ClientId client = ClientId.randomId();
    private volatile boolean closed;

    /**
     * The part of the control's node.
     *
     * @param control has not been started
     * @param cluster distinguishes this cluster from other clusters that the nodes belonged to, or will belong to
     * @param home the placement while no node is missing
     * @param listener called with each configuration that is agreed on, one after the other
     * @param whenFailed called, on any thread, when the group's log can no longer be written; the node has no part in the group any more
     */
    public Membership(
            Control control,
            String cluster,
            Placement home,
            Path directory,
            Consumer<Configuration> listener,
            Consumer<Throwable> whenFailed) {
        this(control, cluster, home, directory, listener, whenFailed, ELECTION_MIN, ELECTION_MAX);
    }

    /** With other election time-outs, which are times without a heartbeat of a leader; the time-outs of the first election stay. */
    Membership(
            Control control,
            String cluster,
            Placement home,
            Path directory,
            Consumer<Configuration> listener,
            Consumer<Throwable> whenFailed,
            Duration electionMin,
            Duration electionMax) {
        this.control = control;
        this.home = home;
        this.groupId = RaftGroupId.valueOf(UUID.nameUUIDFromBytes(cluster.getBytes(StandardCharsets.UTF_8)));
        this.machine = new ConfigurationMachine(home, listener, cause -> {
            if (!closed) {
                whenFailed.accept(cause);
            }
        });
        List<RaftPeer> peers = IntStream.range(0, control.nodes())
                .mapToObj(node ->
                        RaftPeer.newBuilder().setId(ControlRpc.peerId(node)).build())
                .toList();
        Path storage = directory.resolve("membership-" + groupId.getUuid());
        try {
            OwnerOnly.directory(Disk.REAL, storage);
            MembershipFiles.checkClosed(storage.resolve(groupId.getUuid().toString()), SMALL);
            this.server = RaftServer.newBuilder()
                    .setServerId(ControlRpc.peerId(control.node()))
                    .setGroup(RaftGroup.valueOf(groupId, peers))
                    .setStateMachine(machine)
                    .setProperties(properties(storage, electionMin, electionMax))
                    .setParameters(ControlRpcType.parameters(control, ControlRpcType.Channel.of(TOPIC)))
                    .setOption(RaftStorage.StartupOption.RECOVER)
                    .build();
        } catch (IOException e) {
            throw new UncheckedIOException("the membership in " + storage + " cannot be opened: " + e.getMessage(), e);
        }
        ControlRpc rpc = (ControlRpc) server.getServerRpc();
        control.serveLater(TOPIC, rpc::answer);
        control.listen(new Succession(control, server, () -> List.of(groupId), electionMin));
        control.serveLater(LAST_TOPIC, (peer, question) -> confirmed().thenApply(Configuration::toBytes));
    }

    private static RaftProperties properties(Path storage, Duration electionMin, Duration electionMax) {
        RaftProperties properties = new RaftProperties();
        RaftConfigKeys.Rpc.setType(properties, new ControlRpcType());
        RaftServerConfigKeys.setStorageDir(properties, List.of(storage.toFile()));
        RaftServerConfigKeys.setStorageFreeSpaceMin(properties, SizeInBytes.ONE_MB);
        RaftServerConfigKeys.setSleepDeviationThreshold(properties, NEVER);
        RaftServerConfigKeys.setCloseThreshold(properties, NEVER);
        RaftServerConfigKeys.Rpc.setTimeoutMin(properties, timeDuration(electionMin));
        RaftServerConfigKeys.Rpc.setTimeoutMax(properties, timeDuration(electionMax));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(properties, timeDuration(ELECTION_MIN));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(properties, timeDuration(ELECTION_MAX));
        RaftServerConfigKeys.Rpc.setRequestTimeout(properties, REQUEST);
        RaftServerConfigKeys.Rpc.setSlownessTimeout(properties, NEVER);
        // The open segment may end in the middle of an entry, if the process ended while it wrote the entry.
        RaftServerConfigKeys.Log.setCorruptionPolicy(properties, CorruptionPolicy.WARN_AND_RETURN);
        RaftServerConfigKeys.Log.setPreallocatedSize(properties, SMALL);
        RaftServerConfigKeys.Log.setSegmentSizeMax(properties, SEGMENT);
        RaftServerConfigKeys.Log.setWriteBufferSize(properties, MIDDLE);
        RaftServerConfigKeys.Log.Appender.setBufferByteLimit(properties, SMALL);
        RaftServerConfigKeys.Log.Appender.setRetryPolicy(properties, SOON);
        RaftServerConfigKeys.Snapshot.setTriggerWhenStopEnabled(properties, false);
        return properties;
    }

    private static TimeDuration timeDuration(Duration duration) {
        return TimeDuration.valueOf(duration.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Begins to take part, once the control channel has been started. Does not wait for the other nodes. */
    public void start() {
        try {
            server.start();
            ((ControlRpc) server.getServerRpc()).hasStarted(groupId);
        } catch (IOException e) {
            throw new UncheckedIOException("the membership cannot be started", e);
        }
    }

    /** The configuration that was agreed on last, as far as this node has received it. */
    public Configuration configuration() {
        return machine.configuration();
    }

    /** The term in which this node leads the group and has applied everything that was agreed on before; empty if it does not. */
    public OptionalLong leads() {
        DivisionInfo info = info();
        return info.isLeader() && info.isLeaderReady() ? OptionalLong.of(info.getCurrentTerm()) : OptionalLong.empty();
    }

    /** The node that leads the group, as far as it is known here. */
    public OptionalInt leader() {
        RaftPeerId leader = info().getLeaderId();
        return leader == null ? OptionalInt.empty() : OptionalInt.of(ControlRpc.node(leader));
    }

    private DivisionInfo info() {
        try {
            return server.getDivision(groupId).getInfo();
        } catch (IOException e) {
            throw new UncheckedIOException("a server has its group", e);
        }
    }

    /** Proposes that a change of {@code from} begins, which takes out nodes or none; see {@link #propose}. */
    public CompletableFuture<Boolean> begin(Configuration from, BitSet leaving) {
        return propose(from.changing(leaving));
    }

    /**
     * Proposes a configuration; on the leader.
     *
     * @return whether it was agreed on and is in force; fails if this node does not lead, or if the outcome is not known
     */
    public CompletableFuture<Boolean> propose(Configuration next) {
        RaftClientRequest request = RaftClientRequest.newBuilder()
                .setClientId(client)
                .setServerId(server.getId())
                .setGroupId(groupId)
                .setCallId(CallId.getAndIncrement())
                .setMessage(Message.valueOf(ByteString.copyFrom(next.toBytes())))
                .setType(RaftClientRequest.writeRequestType())
                .build();
        try {
            return server.submitClientRequestAsync(request).thenApply(Membership::wasTaken);
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * The configuration that the whole group agreed on last, from a peer that leads it.
     *
     * @param peer the node to ask; perhaps this one
     * @return the configuration; fails if the peer does not lead
     */
    public CompletableFuture<Configuration> last(int peer) {
        return control.ask(peer, LAST_TOPIC, new byte[0]).thenApply(Configuration::of);
    }

    /**
     * The configuration that was agreed on last: a leader whose proposal is agreed on, even an empty one, has received everything that was
     * agreed on before.
     */
    private CompletableFuture<Configuration> confirmed() {
        return leads().isPresent()
                ? propose(Configuration.nothing(home)).thenApply(taken -> configuration())
                : CompletableFuture.failedFuture(new ControlFailure("node " + control.node() + " does not lead"));
    }

    private static boolean wasTaken(RaftClientReply reply) {
        if (!reply.isSuccess()) {
            throw new IllegalStateException("the group did not agree", reply.getException());
        }
        return reply.getMessage().getContent().equals(ConfigurationMachine.TAKEN.getContent());
    }

    /** Ends the part of this node. */
    @Override
    public void close() {
        closed = true;
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException("the membership cannot be closed", e);
        }
    }
}
