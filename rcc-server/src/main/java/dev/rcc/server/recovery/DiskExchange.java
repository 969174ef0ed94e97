package dev.rcc.server.recovery;

import dev.rcc.core.replication.LogReport;
import dev.rcc.core.replication.LoggedTransaction;
import dev.rcc.server.durability.CopyDigests;
import dev.rcc.server.durability.RecoveredNode;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;

/**
 * The questions that nodes that restart together ask each other, with their answers and the encoding of both. A node repeats a question
 * until there is an answer, as a peer that has died is started again.
 *
 * <p>One thread asks, and sets the data for the answers; the control channel's threads answer.
 */
final class DiskExchange {
    private static final String STATE = "rcc.restart.state";
    private static final String REPORT = "rcc.restart.report";
    private static final String LOGGED = "rcc.restart.logged";
    private static final String ENTRIES = "rcc.restart.entries";
    private static final String DIGESTS = "rcc.restart.digests";
    private static final String PHASE = "rcc.restart.phase";
    private static final long LOOK_MILLIS = 20;
    private static final int QUESTIONS_MAX = 4096;
    /** The largest number of transactions in a question for a report: its answer may contain the records of several logs for each of them. */
    private static final int REPORTED_MAX = 512;

    /** The phase, and the incarnation that is in it. */
    private static final int PHASE_BYTES = 1 + Long.BYTES;

    private static final int LOGGED_BYTES = Integer.BYTES + Long.BYTES + 1;
    /** In place of a list's size: the list was begun by an earlier incarnation of the node. */
    private static final int UNKNOWN = -1;

    /**
     * An answer ends with the entry that takes it to this size, or before an entry that takes it beyond the control channel's limit. An entry beyond
     * that limit takes several answers.
     */
    private static final int ENTRIES_BYTES = 1 << 18;

    private static final byte[] NOTHING = {};

    private final Control control;
    private final LongSupplier agreedEpoch;
    /** Null before {@link #offer}, and after {@link #forget}. */
    private volatile RecoveredNode disk;
    /** The state that peers are sent, encoded; only its first byte changes, the data. */
    private volatile byte[] state;
    /** The epoch of the configuration that the data belongs to. */
    private volatile long configEpoch;

    private volatile Phase phase = Phase.READING;
    /** By peer: the list of entries logged here for it, which this incarnation sends it in parts. */
    private final Map<Integer, List<RecoveredNode.Logged>> loggedFor = new ConcurrentHashMap<>();

    /** The progress of a node. */
    enum Phase {
        /** It has read its disk, or is about to. */
        READING(0),
        /** Its copies have their data, and its disk has it as a proposal. */
        REPLAYED(1),
        /** Its primaries have their data. */
        TAKEN(2),
        /** It runs transactions, or is about to. */
        RUNNING(3);

        /** The number that peers are sent; larger than that of an earlier phase. */
        private final byte code;

        Phase(int code) {
            this.code = (byte) code;
        }
    }

    /** The other nodes have agreed on another configuration meanwhile: this incarnation of the node cannot be a part of it. */
    static final class Overtaken extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /**
     * A node's report on its disk.
     *
     * @param data the data that the disk has at present
     * @param configEpoch the epoch of the configuration that the data belongs to
     * @param bound an upper bound of all earlier timestamps
     * @param commitBound an upper bound of all earlier commit timestamps
     * @param undecided the transactions that the node cannot decide alone
     */
    record State(
            RecoveredNode.Data data,
            long configEpoch,
            long bound,
            long commitBound,
            List<RecoveredNode.Undecided> undecided) {}

    /**
     * Answers the peers' questions as soon as they are let in.
     *
     * @param agreedEpoch the epoch of the configuration that was agreed on last; 0 where nodes agree on none
     */
    DiskExchange(Control control, LongSupplier agreedEpoch) {
        this.control = control;
        this.agreedEpoch = agreedEpoch;
        control.serve(STATE, (peer, question) -> {
            RecoveredNode read = offered();
            byte[] answer = state.clone();
            answer[0] = read.data().code();
            return answer;
        });
        control.serve(REPORT, (peer, question) -> report(question));
        control.serve(LOGGED, this::logged);
        control.serve(ENTRIES, (peer, question) -> entries(question));
        control.serve(DIGESTS, (peer, question) -> encodeDigests(disk));
        control.serve(
                PHASE,
                (peer, question) -> ByteBuffer.allocate(PHASE_BYTES)
                        .put(phase.code)
                        .putLong(control.incarnation())
                        .array());
    }

    /** Offers the peers the data of this node's disk, of a configuration. */
    void offer(RecoveredNode read, long ofConfigEpoch) {
        configEpoch = ofConfigEpoch;
        state = encodeState(read);
        disk = read;
    }

    /** Drops the data: no peer asks for it any more. */
    void forget() {
        disk = null;
        loggedFor.clear();
    }

    private RecoveredNode offered() {
        RecoveredNode read = disk;
        if (read == null) {
            throw new ControlFailure("node " + control.node() + " has not read its disk yet");
        }
        return read;
    }

    /**
     * Asks until there is an answer.
     *
     * @throws Overtaken when the other nodes have agreed on a later configuration meanwhile
     */
    private byte[] ask(int peer, String topic, byte[] question) throws InterruptedException {
        while (true) {
            checkNotOvertaken();
            try {
                return control.ask(peer, topic, question).get();
            } catch (ExecutionException e) {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            }
        }
    }

    // ---- a node's progress ----------------------------------------------------------------------------------------

    /** This node has reached a phase. */
    void reach(Phase reached) {
        phase = reached;
    }

    /** Whether a node has reached a phase. */
    boolean hasReached(int peer, Phase wanted) throws InterruptedException {
        return ask(peer, PHASE, NOTHING)[0] >= wanted.code;
    }

    /**
     * Waits until all of some nodes have reached a phase at one time: a node that is started again begins with the first phase.
     *
     * @return by node: the incarnation that has reached the phase
     * @throws Overtaken when the other nodes have agreed on a later configuration meanwhile
     */
    Map<Integer, Long> awaitAll(List<Integer> peers, Phase wanted) throws InterruptedException {
        Map<Integer, Long> reached = reached(peers, wanted);
        while (reached.size() < peers.size()) {
            checkNotOvertaken();
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            reached = reached(peers, wanted);
        }
        return reached;
    }

    /** The nodes that have reached a phase, with their incarnations. */
    private Map<Integer, Long> reached(List<Integer> peers, Phase wanted) throws InterruptedException {
        Map<Integer, CompletableFuture<byte[]>> answers = new TreeMap<>();
        peers.forEach(peer -> answers.put(peer, control.ask(peer, PHASE, NOTHING)));
        Map<Integer, Long> reached = new TreeMap<>();
        for (int peer : peers) {
            try {
                ByteBuffer answer = ByteBuffer.wrap(answers.get(peer).get());
                if (answer.get() >= wanted.code) {
                    reached.put(peer, answer.getLong());
                }
            } catch (ExecutionException e) {
                // it has died, and is started again
            }
        }
        return reached;
    }

    private void checkNotOvertaken() {
        if (agreedEpoch.getAsLong() > configEpoch) {
            throw new Overtaken();
        }
    }

    // ---- a node's disk --------------------------------------------------------------------------------------------

    /** A node's report on its disk; waits until that node has read the data of the same configuration as this node. */
    State state(int peer) throws InterruptedException {
        State answer = decodeState(ask(peer, STATE, NOTHING));
        while (answer.configEpoch() != configEpoch) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            answer = decodeState(ask(peer, STATE, NOTHING));
        }
        return answer;
    }

    private byte[] encodeState(RecoveredNode read) {
        return encode(out -> {
            out.writeByte(read.data().code());
            out.writeLong(configEpoch);
            out.writeLong(read.bound());
            out.writeLong(read.commitBound());
            putUndecided(out, read.undecided());
        });
    }

    private static State decodeState(byte[] bytes) {
        return decode(
                bytes,
                in -> new State(
                        RecoveredNode.Data.of(in.readByte()),
                        in.readLong(),
                        in.readLong(),
                        in.readLong(),
                        getUndecided(in)));
    }

    // ---- transactions that another node cannot decide -------------------------------------------------------------

    /** The records that a node's disk has of some transactions. */
    LogReport report(int peer, List<RecoveredNode.Undecided> undecided) throws InterruptedException {
        List<LogReport> parts = new ArrayList<>();
        for (int from = 0; from < undecided.size(); from += REPORTED_MAX) {
            List<RecoveredNode.Undecided> some =
                    undecided.subList(from, Math.min(undecided.size(), from + REPORTED_MAX));
            parts.add(decodeReport(ask(peer, REPORT, encode(out -> putUndecided(out, some)))));
        }
        return LogReport.of(parts);
    }

    private byte[] report(byte[] question) {
        List<LoggedTransaction> found =
                offered().report(decode(question, DiskExchange::getUndecided)).logged();
        return encode(out -> {
            out.writeInt(found.size());
            for (LoggedTransaction txn : found) {
                out.writeLong(txn.id());
                out.writeBoolean(txn.aborted());
                out.writeBoolean(txn.undecided());
                out.writeInt(txn.log());
                putPartitions(out, txn.partitions());
            }
        });
    }

    private static LogReport decodeReport(byte[] bytes) {
        return decode(bytes, in -> {
            List<LoggedTransaction> found = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                long id = in.readLong();
                boolean aborted = in.readBoolean();
                boolean undecided = in.readBoolean();
                int log = in.readInt();
                found.add(new LoggedTransaction(id, aborted, undecided, log, 0, getPartitions(in)));
            }
            return new LogReport(found, Map.of());
        });
    }

    private static void putUndecided(DataOutputStream out, List<RecoveredNode.Undecided> undecided) throws IOException {
        out.writeInt(undecided.size());
        for (RecoveredNode.Undecided txn : undecided) {
            out.writeLong(txn.id());
            out.writeInt(txn.ring());
            putPartitions(out, txn.partitions());
        }
    }

    private static List<RecoveredNode.Undecided> getUndecided(DataInputStream in) throws IOException {
        List<RecoveredNode.Undecided> undecided = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            long id = in.readLong();
            int ring = in.readInt();
            undecided.add(new RecoveredNode.Undecided(id, ring, getPartitions(in)));
        }
        return undecided;
    }

    private static void putPartitions(DataOutputStream out, List<Integer> partitions) throws IOException {
        out.writeShort(partitions.size());
        for (int partition : partitions) {
            out.writeShort(partition);
        }
    }

    private static List<Integer> getPartitions(DataInputStream in) throws IOException {
        List<Integer> partitions = new ArrayList<>();
        for (int more = in.readShort(); more > 0; more--) {
            partitions.add((int) in.readShort());
        }
        return partitions;
    }

    /** Writes to memory. */
    @FunctionalInterface
    private interface Writing {
        void to(DataOutputStream out) throws IOException;
    }

    /** Reads from memory. */
    @FunctionalInterface
    private interface Reading<T> {
        T from(DataInputStream in) throws IOException;
    }

    private static byte[] encode(Writing writing) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            writing.to(out);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return bytes.toByteArray();
    }

    private static <T> T decode(byte[] bytes, Reading<T> reading) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            return reading.from(in);
        } catch (IOException e) {
            throw new UncheckedIOException("a peer's message cannot be read", e);
        }
    }

    // ---- log entries ----------------------------------------------------------------------------------------------

    /** The transactions in a peer's log that this node backs up, too. */
    List<RecoveredNode.Logged> logged(int peer) throws InterruptedException {
        List<RecoveredNode.Logged> there = new ArrayList<>();
        int all;
        do {
            ByteBuffer answer = ByteBuffer.wrap(ask(
                    peer,
                    LOGGED,
                    ByteBuffer.allocate(Integer.BYTES).putInt(there.size()).array()));
            all = answer.getInt();
            if (all == UNKNOWN) {
                there.clear(); // the peer has restarted: its list may be another one now
            }
            while (answer.hasRemaining()) {
                there.add(new RecoveredNode.Logged(answer.getInt(), answer.getLong(), answer.get() != 0));
            }
        } while (all == UNKNOWN || there.size() < all);
        return there;
    }

    private byte[] logged(int peer, byte[] question) {
        int from = ByteBuffer.wrap(question).getInt();
        if (from == 0) {
            loggedFor.put(peer, offered().loggedFor(peer));
        }
        List<RecoveredNode.Logged> all = loggedFor.get(peer);
        if (all == null) {
            return ByteBuffer.allocate(Integer.BYTES).putInt(UNKNOWN).array();
        }
        List<RecoveredNode.Logged> some =
                all.subList(Math.min(from, all.size()), Math.min(all.size(), from + QUESTIONS_MAX));
        ByteBuffer answer = ByteBuffer.allocate(Integer.BYTES + some.size() * LOGGED_BYTES);
        answer.putInt(all.size());
        some.forEach(txn -> answer.putInt(txn.ring()).putLong(txn.id()).put((byte) (txn.decided() ? 1 : 0)));
        return answer.array();
    }

    /** Gives {@code taker} the entries of some transactions from a peer's log. */
    void entries(int peer, List<RecoveredNode.Logged> wanted, BiConsumer<RecoveredNode.Logged, byte[]> taker)
            throws InterruptedException {
        ByteArrayOutputStream begun = new ByteArrayOutputStream();
        for (int next = 0; next < wanted.size(); ) {
            List<RecoveredNode.Logged> some = wanted.subList(next, Math.min(wanted.size(), next + QUESTIONS_MAX));
            ByteBuffer question = ByteBuffer.allocate(Integer.BYTES + some.size() * Long.BYTES);
            question.putInt(begun.size());
            some.forEach(txn -> question.putLong(txn.id()));
            ByteBuffer answer = ByteBuffer.wrap(ask(peer, ENTRIES, question.array()));
            while (answer.hasRemaining()) {
                int bytes = answer.getInt();
                byte[] part = new byte[Math.min(bytes - begun.size(), answer.remaining())];
                answer.get(part);
                begun.writeBytes(part);
                if (begun.size() == bytes) {
                    taker.accept(wanted.get(next++), begun.toByteArray());
                    begun.reset();
                }
            }
        }
    }

    /**
     * As many of the requested entries as fit into an answer, the first one from the requested offset on. Each follows its whole length. If the
     * first one does not fit, the answer has a part of it.
     */
    private byte[] entries(byte[] question) {
        RecoveredNode read = offered();
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        ByteBuffer asked = ByteBuffer.wrap(question);
        int from = asked.getInt();
        while (asked.hasRemaining() && answer.size() < ENTRIES_BYTES) {
            byte[] entry = read.entry(asked.getLong());
            int room = ControlChannel.MAX_MESSAGE_BYTES - Integer.BYTES - answer.size();
            if (answer.size() > 0 && entry.length > room) {
                break;
            }
            answer.writeBytes(
                    ByteBuffer.allocate(Integer.BYTES).putInt(entry.length).array());
            answer.write(entry, from, Math.min(entry.length - from, room));
            from = 0;
        }
        return answer.toByteArray();
    }

    // ---- digests of copies ----------------------------------------------------------------------------------------

    /** The digests of a node's copies; waits until that node has replayed. */
    CopyDigests.Digests digests(int peer) throws InterruptedException {
        Optional<CopyDigests.Digests> answer = decodeDigests(ask(peer, DIGESTS, NOTHING));
        while (answer.isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            answer = decodeDigests(ask(peer, DIGESTS, NOTHING));
        }
        return answer.get();
    }

    private static byte[] encodeDigests(RecoveredNode read) {
        CopyDigests.Digests digests = read == null ? null : read.digests();
        if (digests == null) {
            return NOTHING;
        }
        byte[] end = digests.logEnd().getBytes(StandardCharsets.UTF_8);
        ByteBuffer answer = ByteBuffer.allocate(
                Integer.BYTES + end.length + digests.partitions().size() * (Integer.BYTES + Long.BYTES));
        answer.putInt(end.length).put(end);
        digests.partitions()
                .forEach((partition, digest) -> answer.putInt(partition).putLong(digest));
        return answer.array();
    }

    private static Optional<CopyDigests.Digests> decodeDigests(byte[] bytes) {
        if (bytes.length == 0) {
            return Optional.empty();
        }
        ByteBuffer answer = ByteBuffer.wrap(bytes);
        byte[] end = new byte[answer.getInt()];
        answer.get(end);
        Map<Integer, Long> partitions = new TreeMap<>();
        while (answer.hasRemaining()) {
            partitions.put(answer.getInt(), answer.getLong());
        }
        return Optional.of(new CopyDigests.Digests(new String(end, StandardCharsets.UTF_8), partitions));
    }
}
