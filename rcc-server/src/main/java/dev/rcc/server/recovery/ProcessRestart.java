package dev.rcc.server.recovery;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.time.Timestamp;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.durability.CopyDigests;
import dev.rcc.server.durability.DataConfiguration;
import dev.rcc.server.durability.Fates;
import dev.rcc.server.durability.RecoveredNode;
import dev.rcc.server.membership.Configuration;
import dev.rcc.server.node.NodeGroup;
import dev.rcc.transport.control.Control;
import dev.rcc.transport.control.ControlChannel;
import dev.rcc.transport.control.ControlFailure;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the node of this process together with the others, each from its disk. What no node can decide alone they decide by asking
 * each other; they replay; then the primaries take what the backups have; and no transaction begins before all are done with that.
 *
 * <p>Whoever dies on the way and is started again begins at the start, and the others wait for that: what is found then is the same.
 *
 * <p>Where dead nodes are replaced, those do so who are members of the configuration that was agreed on last, once none of them is in
 * that life any more: nobody else has the newest data. A node that was no member, or finds members that live, is a stranger: what its
 * disk has is of no use to it, and it waits to be given copies.
 */
public final class ProcessRestart {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessRestart.class);
    private static final String STATE = "rcc.restart.state";
    private static final String ABORTED = "rcc.restart.aborted";
    private static final String LOGGED = "rcc.restart.logged";
    private static final String ENTRIES = "rcc.restart.entries";
    private static final String DIGESTS = "rcc.restart.digests";
    private static final String PHASE = "rcc.restart.phase";
    private static final long LOOK_MILLIS = 20;
    private static final long FORGET_MILLIS = 200;
    private static final long SAY_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final int QUESTIONS_MAX = 4096;
    private static final int LOGGED_BYTES = Integer.BYTES + Long.BYTES + 1;
    /** An answer ends with the entry that gets it beyond this, or before one that gets it beyond what the control channel takes. */
    private static final int ENTRIES_BYTES = 1 << 18;

    private final Control control;
    private final Placement home;
    private final NodeGroup group;
    private final DiskRecovery recovery;
    /** Null if dead nodes are not replaced. */
    private final NodeMembership membership;
    /** Null until it was read. */
    private volatile RecoveredNode disk;
    /** What the others are told of it, which stays the same. */
    private volatile byte[] state;

    /** By peer: what it was told of that is logged here for it. */
    private final Map<Integer, List<RecoveredNode.Logged>> loggedFor = new ConcurrentHashMap<>();

    private volatile Phase phase = Phase.READING;
    /** Of which the data is. */
    private volatile long configEpoch;

    private List<Integer> members;

    /** How far a node is. */
    private enum Phase {
        /** It knows what its disk has, or is about to. */
        READING,
        /** Its copies are what they should be, and on its disk. */
        REPLAYED,
        /** Its primaries are what they should be. */
        TAKEN,
        /** It runs transactions. */
        RUNNING
    }

    /** The others have agreed on another configuration meanwhile: this life of the node cannot be a part of it. */
    private static final class Overtaken extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /**
     * Answers the peers' questions from when they are let in; closes the node if its disk cannot be read.
     *
     * @param group has this node only
     * @param membership if dead nodes are replaced
     */
    public ProcessRestart(Control control, ClusterConfig config, NodeGroup group, Optional<NodeMembership> membership) {
        this.control = control;
        this.home = config.home();
        this.recovery = new DiskRecovery(group, config.protocol());
        this.group = group;
        this.membership = membership.orElse(null);
        this.members = IntStream.range(0, control.nodes()).boxed().toList();
        if (membership.isEmpty()) {
            readAlone();
        } else {
            group.loader().refuse(); // only when the nodes have met is it known whether there is data
        }
        control.serve(STATE, (peer, question) -> {
            read();
            return state.clone();
        });
        control.serve(ABORTED, (peer, question) -> aborted(question));
        control.serve(LOGGED, this::logged);
        control.serve(ENTRIES, (peer, question) -> entries(question));
        control.serve(DIGESTS, (peer, question) -> encodeDigests(disk));
        control.serve(PHASE, (peer, question) -> new byte[] {code(phase)});
    }

    private static byte code(Phase phase) {
        return switch (phase) {
            case READING -> 0;
            case REPLAYED -> 1;
            case TAKEN -> 2;
            case RUNNING -> 3;
        };
    }

    private void readAlone() {
        try {
            read(new DataConfiguration(0, group.catalog().placement()));
        } catch (RuntimeException | Error e) {
            group.close();
            throw e;
        }
    }

    private void read(DataConfiguration data) {
        RecoveredNode read = recovery.read(data).getFirst();
        state = encodeState(read);
        disk = read;
    }

    /** Whether the node begins with what it was loaded with, as its disk has nothing. Before {@link #run}. */
    public boolean isLoaded() {
        return membership == null && disk.isNew();
    }

    private RecoveredNode read() {
        RecoveredNode read = disk;
        if (read == null) {
            throw new ControlFailure("node " + control.node() + " has not read its disk yet");
        }
        return read;
    }

    /** What a node has told of its disk. */
    private record State(
            long configEpoch, boolean isNew, long bound, long commitBound, List<RecoveredNode.Undecided> undecided) {}

    /**
     * Goes all the way, once all peers are connected or, where dead nodes are replaced, those who are needed are.
     *
     * @throws IllegalStateException when the data of the nodes does not fit together, or the others run already
     */
    public void run() throws InterruptedException {
        if (membership == null) {
            runTogether();
            return;
        }
        Optional<Configuration> last = awaitMembers();
        if (last.isEmpty()) {
            group.start();
            membership.ready();
            return;
        }
        try {
            runAsMember(last.get());
        } catch (Overtaken e) {
            membership.beginAnew("as the others have gone on meanwhile");
        }
    }

    private void runTogether() throws InterruptedException {
        for (int peer : members) {
            if (peer != control.node() && ask(peer, PHASE, new byte[0])[0] == code(Phase.RUNNING)) {
                throw new IllegalStateException("node " + peer + " runs transactions, and did so without node "
                        + control.node() + ": stop all nodes, and start them together");
            }
        }
        recover();
        recovery.open();
        takeFromBackups();
        recovery.release();
        phase = Phase.RUNNING;
        forget();
    }

    private void runAsMember(Configuration last) throws InterruptedException {
        DataConfiguration data = new DataConfiguration(last.epoch(), last.placement(home));
        configEpoch = data.epoch();
        read(data);
        if (!recover()) {
            group.loader().buildIndexes(); // of tables without records, as there was nothing on any disk
        }
        recovery.open(new DataConfiguration(data.epoch() + 1, data.placement()));
        takeFromBackups();
        membership.ready(data.epoch());
        Thread.startVirtualThread(this::forgetWhenFormed);
    }

    /** Until all are members, one that dies and is started again asks for what the disk had. */
    private void forgetWhenFormed() {
        try {
            while (control.isUp(control.node()) && membership.configuration().epoch() <= configEpoch) {
                TimeUnit.MILLISECONDS.sleep(FORGET_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        forget();
    }

    private void forget() {
        disk = null;
        loggedFor.clear();
    }

    private void takeFromBackups() throws InterruptedException {
        enter(Phase.REPLAYED);
        recovery.start();
        recovery.takeFromBackups();
        enter(Phase.TAKEN);
    }

    // ---- who takes part --------------------------------------------------------------------------------------------

    /**
     * Waits until all members of the last configuration are there, each in another life.
     *
     * @return that configuration; empty if this node is a stranger
     */
    private Optional<Configuration> awaitMembers() throws InterruptedException {
        long told = System.nanoTime();
        Map<Integer, Long> seen = Map.of();
        while (true) {
            Map<Integer, Long> lives = lives();
            // Each time that it is asked for, the group's log grows.
            Optional<Configuration> last = lives.equals(seen) ? Optional.empty() : askLast(lives);
            if (last.isPresent()) {
                seen = lives;
                if (isStranger(last.get(), lives)) {
                    return Optional.empty();
                }
                members = last.get().hasFormed()
                        ? last.get().members().stream().boxed().toList()
                        : members;
                if (lives.keySet().containsAll(members) && lives.equals(lives())) {
                    return last;
                }
            }
            if (System.nanoTime() - told > SAY_NANOS) {
                told = System.nanoTime();
                LOG.info(
                        "event=recovery_waits node={} needed={} present={}: recovery from disk needs all of these nodes",
                        control.node(),
                        members,
                        lives.keySet());
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    private boolean isStranger(Configuration last, Map<Integer, Long> lives) {
        return last.hasFormed()
                && (!last.isMember(control.node())
                        || lives.entrySet().stream().anyMatch(life -> last.isMember(life.getKey(), life.getValue())));
    }

    /** Of the nodes that are there. */
    private Map<Integer, Long> lives() {
        Map<Integer, Long> lives = new TreeMap<>();
        for (int peer = 0; peer < control.nodes(); peer++) {
            if (membership.life(peer) != Configuration.NO_MEMBER) {
                lives.put(peer, membership.life(peer));
            }
        }
        return lives;
    }

    private Optional<Configuration> askLast(Map<Integer, Long> lives) throws InterruptedException {
        for (int peer : lives.keySet()) {
            try {
                return Optional.of(membership.last(peer).get());
            } catch (ExecutionException e) {
                LOG.debug("node {} does not lead", peer, e);
            }
        }
        return Optional.empty();
    }

    // ---- what has committed ----------------------------------------------------------------------------------------

    /**
     * Replays what has committed.
     *
     * @return false if there is nothing on any disk
     */
    private boolean recover() throws InterruptedException {
        Map<Integer, State> states = new TreeMap<>();
        for (int peer : members) {
            State state = decodeState(ask(peer, STATE, new byte[0]));
            while (state.configEpoch() != configEpoch) {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
                state = decodeState(ask(peer, STATE, new byte[0]));
            }
            states.put(peer, state);
        }
        List<Integer> without =
                members.stream().filter(peer -> states.get(peer).isNew()).toList();
        if (without.isEmpty()) {
            long bound = states.values().stream().mapToLong(State::bound).reduce(Timestamp.NONE, Timestamp::max);
            long commitBound =
                    states.values().stream().mapToLong(State::commitBound).reduce(Timestamp.NONE, Timestamp::max);
            Set<Long> committed = committed(states);
            takeMissing(committed);
            recovery.replay(committed, bound, commitBound);
            checkCopies();
            return true;
        }
        if (without.size() < members.size()) {
            throw new IllegalStateException("the nodes " + without + " have no data, the others have");
        }
        return false;
    }

    private Set<Long> committed(Map<Integer, State> states) throws InterruptedException {
        List<RecoveredNode.Undecided> undecided = new ArrayList<>();
        states.values().forEach(each -> undecided.addAll(each.undecided()));
        Map<Integer, Set<Long>> aborted = new HashMap<>();
        for (int peer : members) {
            Set<Long> ids = new HashSet<>();
            for (int from = 0; from < undecided.size(); from += QUESTIONS_MAX) {
                askAborted(peer, undecided.subList(from, Math.min(undecided.size(), from + QUESTIONS_MAX)), ids);
            }
            aborted.put(peer, ids);
        }
        return Fates.committed(
                undecided, members, (node, id) -> aborted.get(node).contains(id));
    }

    private void askAborted(int peer, List<RecoveredNode.Undecided> undecided, Set<Long> aborted)
            throws InterruptedException {
        ByteBuffer question = ByteBuffer.allocate(undecided.size() * Long.BYTES);
        undecided.forEach(txn -> question.putLong(txn.id()));
        byte[] answer = ask(peer, ABORTED, question.array());
        for (int i = 0; i < undecided.size(); i++) {
            if (answer[i] != 0) {
                aborted.add(undecided.get(i).id());
            }
        }
    }

    private byte[] aborted(byte[] question) {
        RecoveredNode read = read();
        ByteBuffer asked = ByteBuffer.wrap(question);
        byte[] answer = new byte[question.length / Long.BYTES];
        for (int i = 0; i < answer.length; i++) {
            answer[i] = (byte) (read.hasAborted(asked.getLong()) ? 1 : 0);
        }
        return answer;
    }

    // ---- what a log has lost, or never had
    // ---------------------------------------------------------------------------

    /** Takes from the other backups' logs what has committed and is not in this node's. */
    private void takeMissing(Set<Long> committed) throws InterruptedException {
        for (int peer : members) {
            if (peer == control.node()) {
                continue;
            }
            List<RecoveredNode.Logged> there = new ArrayList<>();
            byte[] answer;
            do {
                answer = ask(
                        peer,
                        LOGGED,
                        ByteBuffer.allocate(Integer.BYTES).putInt(there.size()).array());
                for (ByteBuffer each = ByteBuffer.wrap(answer); each.hasRemaining(); ) {
                    there.add(new RecoveredNode.Logged(each.getInt(), each.getLong(), each.get() != 0));
                }
            } while (answer.length > 0);
            takeEntries(peer, disk.missing(there, committed));
        }
    }

    private byte[] logged(int peer, byte[] question) {
        int from = ByteBuffer.wrap(question).getInt();
        List<RecoveredNode.Logged> all = from == 0 ? read().loggedFor(peer) : loggedFor.getOrDefault(peer, List.of());
        loggedFor.put(peer, all);
        List<RecoveredNode.Logged> some =
                all.subList(Math.min(from, all.size()), Math.min(all.size(), from + QUESTIONS_MAX));
        ByteBuffer answer = ByteBuffer.allocate(some.size() * LOGGED_BYTES);
        some.forEach(txn -> answer.putInt(txn.ring()).putLong(txn.id()).put((byte) (txn.decided() ? 1 : 0)));
        return answer.array();
    }

    private void takeEntries(int peer, List<RecoveredNode.Logged> missing) throws InterruptedException {
        for (int next = 0; next < missing.size(); ) {
            List<RecoveredNode.Logged> wanted = missing.subList(next, Math.min(missing.size(), next + QUESTIONS_MAX));
            ByteBuffer question = ByteBuffer.allocate(wanted.size() * Long.BYTES);
            wanted.forEach(txn -> question.putLong(txn.id()));
            ByteBuffer answer = ByteBuffer.wrap(ask(peer, ENTRIES, question.array()));
            while (answer.hasRemaining()) {
                byte[] entry = new byte[answer.getInt()];
                answer.get(entry);
                disk.adopt(missing.get(next++), entry);
            }
        }
    }

    /** As many of them, from the first on, as fit into an answer. */
    private byte[] entries(byte[] question) {
        RecoveredNode read = read();
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        for (ByteBuffer asked = ByteBuffer.wrap(question); asked.hasRemaining() && answer.size() < ENTRIES_BYTES; ) {
            byte[] entry = read.entry(asked.getLong());
            if (answer.size() > 0 && answer.size() + entry.length > ControlChannel.MAX_MESSAGE_BYTES - Integer.BYTES) {
                break;
            }
            answer.writeBytes(
                    ByteBuffer.allocate(Integer.BYTES).putInt(entry.length).array());
            answer.writeBytes(entry);
        }
        return answer.toByteArray();
    }

    /** All backups of a partition must have recovered the same, before any of them gives up what it had. */
    private void checkCopies() throws InterruptedException {
        Map<Integer, CopyDigests.Digests> digests = new TreeMap<>();
        for (int peer : members) {
            byte[] answer = ask(peer, DIGESTS, new byte[0]);
            while (answer.length == 0) { // it has not replayed yet
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
                answer = ask(peer, DIGESTS, new byte[0]);
            }
            digests.put(peer, decodeDigests(answer));
        }
        CopyDigests.check(digests, group.catalog().placement());
    }

    private static byte[] encodeDigests(RecoveredNode read) {
        CopyDigests.Digests digests = read == null ? null : read.digests();
        if (digests == null) {
            return new byte[0];
        }
        byte[] end = digests.logEnd().getBytes(StandardCharsets.UTF_8);
        ByteBuffer answer = ByteBuffer.allocate(
                Integer.BYTES + end.length + digests.partitions().size() * (Integer.BYTES + Long.BYTES));
        answer.putInt(end.length).put(end);
        digests.partitions()
                .forEach((partition, digest) -> answer.putInt(partition).putLong(digest));
        return answer.array();
    }

    private static CopyDigests.Digests decodeDigests(byte[] bytes) {
        ByteBuffer answer = ByteBuffer.wrap(bytes);
        byte[] end = new byte[answer.getInt()];
        answer.get(end);
        Map<Integer, Long> partitions = new TreeMap<>();
        while (answer.hasRemaining()) {
            partitions.put(answer.getInt(), answer.getLong());
        }
        return new CopyDigests.Digests(new String(end, StandardCharsets.UTF_8), partitions);
    }

    // ---- in step with the others
    // -------------------------------------------------------------------------------------

    /** Waits until all are as far as this one. */
    private void enter(Phase reached) throws InterruptedException {
        phase = reached;
        for (int peer : members) {
            while (ask(peer, PHASE, new byte[0])[0] < code(reached)) {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            }
        }
    }

    /** Asks until there is an answer: a peer that has died is started again. */
    private byte[] ask(int peer, String topic, byte[] question) throws InterruptedException {
        while (true) {
            if (membership != null && membership.configuration().epoch() > configEpoch) {
                throw new Overtaken();
            }
            try {
                return control.ask(peer, topic, question).get();
            } catch (ExecutionException e) {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            }
        }
    }

    private byte[] encodeState(RecoveredNode read) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeLong(configEpoch);
            out.writeBoolean(read.isNew());
            out.writeLong(read.bound());
            out.writeLong(read.commitBound());
            List<RecoveredNode.Undecided> undecided = read.undecided();
            out.writeInt(undecided.size());
            for (RecoveredNode.Undecided txn : undecided) {
                out.writeLong(txn.id());
                out.writeInt(txn.ring());
                out.writeShort(txn.partitions().size());
                for (int partition : txn.partitions()) {
                    out.writeShort(partition);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return bytes.toByteArray();
    }

    private static State decodeState(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            long epoch = in.readLong();
            boolean isNew = in.readBoolean();
            long bound = in.readLong();
            long commitBound = in.readLong();
            List<RecoveredNode.Undecided> undecided = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                long id = in.readLong();
                int ring = in.readInt();
                List<Integer> partitions = new ArrayList<>();
                for (int more = in.readShort(); more > 0; more--) {
                    partitions.add((int) in.readShort());
                }
                undecided.add(new RecoveredNode.Undecided(id, ring, partitions));
            }
            return new State(epoch, isNew, bound, commitBound, undecided);
        } catch (IOException e) {
            throw new UncheckedIOException("a peer's answer cannot be read", e);
        }
    }
}
