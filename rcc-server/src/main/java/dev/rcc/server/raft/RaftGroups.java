package dev.rcc.server.raft;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.replication.ReplicationDisk;
import dev.rcc.server.consensus.ControlRpc;
import dev.rcc.server.consensus.ControlRpcType;
import dev.rcc.server.consensus.Succession;
import dev.rcc.server.durability.Disk;
import dev.rcc.server.durability.OwnerOnly;
import dev.rcc.transport.control.Control;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.GroupManagementRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.rpc.CallId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The groups that a node is a member of: one for each partition of which it holds a copy. Each configuration has groups of its own, which
 * begin with empty logs: when it begins, all copies of a partition are equal, and a node that is not a member is in none of its groups. No
 * node takes entries that the groups of the last configuration could still have agreed on.
 *
 * <p>Where data is durable, each incarnation of a node has a directory of its own with its groups' logs. The logs of a configuration stay
 * until a later one was agreed on.
 *
 * <p>The methods may be called on any thread, and do not wait, except {@link #close}.
 */
final class RaftGroups implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RaftGroups.class);
    /** A topic of the control channel. */
    private static final String TOPIC = "raft.partitions";

    /** Far apart, so that two nodes rarely stand for election at the same time; the loss of a leader starts an election at once anyway. */
    private static final Duration ELECTION_MIN = Duration.ofMillis(500);

    private static final Duration ELECTION_MAX = Duration.ofMillis(1_500);
    private static final TimeDuration REQUEST = TimeDuration.valueOf(1_000, TimeUnit.MILLISECONDS);
    private static final TimeDuration NEVER = TimeDuration.valueOf(10_000, TimeUnit.DAYS);
    /** A coordinator that gets no answer proposes again, and the copies recognize the id: no node asks for the result of a request. */
    private static final TimeDuration ANSWERS_KEPT = TimeDuration.valueOf(1, TimeUnit.SECONDS);

    private static final SizeInBytes SEGMENT = SizeInBytes.valueOf("8MB");
    private static final SizeInBytes MESSAGE = SizeInBytes.valueOf("256KB");
    private static final SizeInBytes BUFFER = SizeInBytes.valueOf("1MB");
    /** After so many entries of a log, a copy allows Ratis to forget it. */
    private static final long SNAPSHOT_ENTRIES = 20_000;

    private static final int PRIMARY_PRIORITY = 1;

    private final Control control;
    private final boolean durable;
    /** The directory of all incarnations of the node. */
    private final Path home;

    private final Path directory;
    private final RaftServer server;
    private final ControlRpc rpc;
    private final Succession succession;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    /** Runs one change after the other. */
    private final ExecutorService changes =
            Executors.newSingleThreadExecutor(Thread.ofVirtual().factory());

    private final ClientId client = ClientId.randomId();
    private final Map<RaftGroupId, PartitionMachine> machines = new ConcurrentHashMap<>();
    private final IntFunction<PartitionState> newState;
    /** By partition, null where this node holds no copy. */
    private volatile Member[] members = {};

    private volatile long configEpoch = -1;
    /** The logs of configurations before this one are not needed any more. */
    private volatile long agreedEpoch = -1;

    private volatile Consumer<Throwable> whenFailed = cause -> {};
    private boolean started;
    private volatile boolean closed;

    /** This node's membership of a partition's group. */
    record Member(int partition, RaftGroupId group, PartitionState state, Proposer proposer) {}

    /**
     * The groups of the control's node; the control has not been started.
     *
     * @param newState makes the state of a copy whose group's log is empty
     */
    RaftGroups(Control control, RaftOptions options, IntFunction<PartitionState> newState) {
        this.control = control;
        this.newState = newState;
        this.durable = options.durable();
        this.home = options.directory().resolve("node" + control.node());
        try {
            if (!durable) {
                removeAll(home); // another incarnation has other copies
            }
            this.directory = home.resolve(
                    Long.toString(incarnations().stream().findFirst().orElse(0L) + 1));
            OwnerOnly.directory(Disk.REAL, directory);
            this.server = RaftServer.newBuilder()
                    .setServerId(ControlRpc.peerId(control.node()))
                    .setStateMachineRegistry(machines::get)
                    .setProperties(properties(directory, durable))
                    .setParameters(ControlRpcType.parameters(
                            control,
                            ControlRpcType.Channel.of(TOPIC).pipelined().withFreshLogs()))
                    .build();
        } catch (IOException e) {
            throw new UncheckedIOException("the groups in " + home + " cannot be made", e);
        }
        this.rpc = (ControlRpc) server.getServerRpc();
        control.serveLater(TOPIC, rpc::answer);
        this.succession = new Succession(control, server, this::groups, ELECTION_MIN);
        control.listen(succession);
    }

    /** Removes a directory, if there is one. Meanwhile Ratis may remove directories of ended groups in it. */
    private static void removeAll(Path directory) throws IOException {
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (!(e instanceof NoSuchFileException)) {
                    throw e;
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path each, IOException e) throws IOException {
                if (e != null) {
                    visitFileFailed(each, e);
                }
                Files.deleteIfExists(each);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private static RaftProperties properties(Path storage, boolean durable) {
        RaftProperties properties = new RaftProperties();
        RaftConfigKeys.Rpc.setType(properties, new ControlRpcType());
        RaftServerConfigKeys.setStorageDir(properties, List.of(storage.toFile()));
        RaftServerConfigKeys.setStorageFreeSpaceMin(properties, SizeInBytes.ONE_MB);
        RaftServerConfigKeys.setSleepDeviationThreshold(properties, NEVER);
        RaftServerConfigKeys.setCloseThreshold(properties, NEVER);
        RaftServerConfigKeys.Rpc.setTimeoutMin(properties, timeDuration(ELECTION_MIN));
        RaftServerConfigKeys.Rpc.setTimeoutMax(properties, timeDuration(ELECTION_MAX));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(properties, timeDuration(ELECTION_MIN));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(properties, timeDuration(ELECTION_MAX));
        RaftServerConfigKeys.Rpc.setRequestTimeout(properties, REQUEST);
        RaftServerConfigKeys.Rpc.setSlownessTimeout(properties, NEVER);
        RaftServerConfigKeys.RetryCache.setExpiryTime(properties, ANSWERS_KEPT);
        RaftServerConfigKeys.Log.setPreallocatedSize(properties, SizeInBytes.valueOf("64KB"));
        RaftServerConfigKeys.Log.setSegmentSizeMax(properties, SEGMENT);
        RaftServerConfigKeys.Log.setWriteBufferSize(properties, BUFFER);
        RaftServerConfigKeys.Log.Appender.setBufferByteLimit(properties, MESSAGE);
        // Data in memory only survives once a majority of the processes has it: no thread waits for a disk.
        RaftServerConfigKeys.Log.setUnsafeFlushEnabled(properties, !durable);
        // Only the next incarnation reads from a log how far it is committed: that takes an entry after each.
        RaftServerConfigKeys.Log.setLogMetadataEnabled(properties, durable);
        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(properties, true);
        RaftServerConfigKeys.Snapshot.setAutoTriggerThreshold(properties, SNAPSHOT_ENTRIES);
        RaftServerConfigKeys.Snapshot.setTriggerWhenStopEnabled(properties, false);
        RaftServerConfigKeys.Snapshot.setTriggerWhenRemoveEnabled(properties, false);
        return properties;
    }

    private static TimeDuration timeDuration(Duration duration) {
        return TimeDuration.valueOf(duration.toMillis(), TimeUnit.MILLISECONDS);
    }

    private Collection<RaftGroupId> groups() {
        return machines.keySet();
    }

    /** The membership in a partition's group in a configuration; null if there is none, or not yet. */
    Member member(int partition, long epoch) {
        Member[] now = members;
        return epoch == configEpoch && partition < now.length ? now[partition] : null;
    }

    /** The configuration that the node is in, or changes to. */
    long configEpoch() {
        return configEpoch;
    }

    /** The groups go on without a peer. If this node still followed it as a leader, the nodes that are left could log nothing, and seal no group. */
    void fence(int peer) {
        rpc.fence(peer);
    }

    /** The peer takes part again, in another incarnation. */
    void admit(int peer) {
        rpc.admit(peer);
    }

    /** All memberships. */
    List<Member> members() {
        return Stream.of(members).filter(member -> member != null).toList();
    }

    /** Enters a configuration: the groups of the last one end here, and the groups of this one begin. */
    synchronized void configured(long epoch, Placement placement) {
        List<RaftGroupId> before = List.copyOf(machines.keySet());
        Member[] next = new Member[placement.partitions()];
        List<RaftGroup> groups = new ArrayList<>();
        for (int partition = 0; partition < placement.partitions(); partition++) {
            if (placement.holds(control.node(), partition)) {
                RaftGroup group = group(epoch, partition, placement);
                PartitionState state = newState.apply(partition);
                machines.put(
                        group.getGroupId(),
                        new PartitionMachine(state, durable, cause -> logFailed(group.getGroupId(), cause)));
                Proposer proposer = new Proposer(server, group.getGroupId(), threads);
                next[partition] = new Member(partition, group.getGroupId(), state, proposer);
                groups.add(group);
            }
        }
        members = next;
        configEpoch = epoch;
        changes.execute(() -> change(before, groups, placement));
    }

    private RaftGroup group(long epoch, int partition, Placement placement) {
        List<RaftPeer> peers = new ArrayList<>();
        peers.add(peer(placement.primary(partition), PRIMARY_PRIORITY));
        for (int i = 0; i < placement.backups(partition); i++) {
            peers.add(peer(placement.backup(partition, i), 0));
        }
        return RaftGroup.valueOf(RaftGroupId.valueOf(name(epoch, partition)), peers);
    }

    private static UUID name(long epoch, int partition) {
        return UUID.nameUUIDFromBytes(("partition " + partition + " epoch " + epoch).getBytes(StandardCharsets.UTF_8));
    }

    private static RaftPeer peer(int node, int priority) {
        return RaftPeer.newBuilder()
                .setId(ControlRpc.peerId(node))
                .setPriority(priority)
                .build();
    }

    /** Begins and ends groups; Ratis makes a group in some milliseconds. */
    private void change(List<RaftGroupId> before, List<RaftGroup> groups, Placement placement) {
        try {
            if (closed) {
                return;
            }
            if (!started) {
                server.start();
                started = true;
            }
            for (RaftGroup group : groups) {
                var _ = server.groupManagementAsync(GroupManagementRequest.newAdd(
                                client, server.getId(), CallId.getAndIncrement(), group, true))
                        .get();
                rpc.hasStarted(group.getGroupId());
            }
            for (Member member : members()) {
                if (placement.primary(member.partition()) == control.node()) {
                    succession.stand(member.group());
                }
            }
            for (RaftGroupId group : before) {
                rpc.ends(group);
                threads.execute(() -> remove(group)); // its end takes longer, and no thread waits for it
            }
            forget();
        } catch (IOException | ExecutionException | RuntimeException | Error e) {
            if (!closed) {
                LOG.error("event=raft_groups_failed node={}: the node takes no part in them", control.node(), e);
                whenFailed.accept(e);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void remove(RaftGroupId group) {
        try {
            var _ = server.groupManagement(GroupManagementRequest.newRemove(
                    client, server.getId(), CallId.getAndIncrement(), group, !durable, false));
        } catch (IOException e) {
            LOG.debug("node {} has ended the group {} already", control.node(), group, e);
        }
        machines.remove(group);
    }

    /** Sets the listener that is called when a log can no longer be written, or groups cannot begin: the node takes no part in them. */
    void whenFailed(Consumer<Throwable> listener) {
        whenFailed = listener;
    }

    /** The log of a group cannot be written: this matters unless the group ends. */
    void logFailed(RaftGroupId group, Throwable cause) {
        if (!closed && members().stream().anyMatch(member -> member.group().equals(group))) {
            whenFailed.accept(cause);
        }
    }

    // ---- durable logs ---------------------------------------------------------------------------------------------

    /** The numbers of the incarnations that have left logs, the last one first. */
    private List<Long> incarnations() throws IOException {
        if (!Files.isDirectory(home)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(home)) {
            return all.map(each -> each.getFileName().toString())
                    .filter(name -> name.chars().allMatch(c -> c >= '0' && c <= '9'))
                    .map(Long::valueOf)
                    .sorted(Comparator.reverseOrder())
                    .toList();
        }
    }

    /**
     * Passes on the entries that earlier incarnations of the node have logged in a configuration.
     *
     * @param partitions the number of partitions
     * @param logs the number of coordinating workers on all nodes
     */
    void recover(long epoch, int partitions, int logs, ReplicationDisk.Recovered recovered) {
        try {
            for (int partition = 0; partition < partitions; partition++) {
                String name = name(epoch, partition).toString();
                for (long incarnation : incarnations()) {
                    Path left = home.resolve(Long.toString(incarnation)).resolve(name);
                    if (Files.isDirectory(left)) {
                        new RaftLogFiles(left, partition, logs, SEGMENT).read(recovered);
                        break; // an earlier one began the configuration, too, but had no effect in it
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the logs in " + home + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** A configuration was agreed on, and is durable: the logs of earlier ones are deleted. */
    void agreed(long epoch) {
        agreedEpoch = epoch;
        changes.execute(this::forget);
    }

    /** Once the groups of the configuration that was agreed on are here, those of no other are needed. */
    private void forget() {
        if (closed || !durable || agreedEpoch < configEpoch) {
            return;
        }
        try {
            for (long incarnation : incarnations()) {
                Path each = home.resolve(Long.toString(incarnation));
                if (each.equals(directory)) {
                    forgetEnded();
                } else {
                    removeAll(each);
                }
            }
        } catch (IOException e) {
            LOG.warn(
                    "event=raft_logs_left node={} directory={}: obsolete log files could not be deleted",
                    control.node(),
                    home,
                    e);
        }
    }

    private void forgetEnded() throws IOException {
        Set<String> needed = new HashSet<>();
        members().forEach(member -> needed.add(member.group().getUuid().toString()));
        try (Stream<Path> all = Files.list(directory)) {
            for (Path each : all.toList()) {
                if (Files.isDirectory(each)
                        && !needed.contains(each.getFileName().toString())) {
                    removeAll(each);
                }
            }
        }
    }

    /** Whether this node leads a group, and takes proposals. */
    boolean leads(Member member) {
        try {
            DivisionInfo info = server.getDivision(member.group()).getInfo();
            return info.isLeader() && info.isLeaderReady();
        } catch (IOException e) {
            return false; // it has not begun yet
        }
    }

    @Override
    public void close() {
        closed = true;
        changes.close(); // a change under way writes to the disk
        try {
            server.close();
            if (!durable) {
                removeAll(home);
            }
        } catch (IOException e) {
            LOG.warn("event=raft_close_failed node={}", control.node(), e);
        }
        threads.shutdownNow();
    }
}
