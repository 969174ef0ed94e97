package dev.rcc.server.recovery;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.replication.LogReport;
import dev.rcc.core.replication.LoggedTransaction;
import dev.rcc.core.time.Timestamp;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * An order that the leader of a cluster of processes sends to a node over the control channel.
 *
 * @param incarnation the incarnation of the node that the order is for; another incarnation does not carry it out
 * @param term the term in which the leader leads
 * @param round counts the reconfigurations that the leader begins
 * @param configEpoch the epoch of the configuration that the step leads to
 * @param step the step to take; each step uses some of the components below
 * @param nodes the lost or absent nodes
 * @param before the placement before
 * @param after the placement after
 * @param number a read bound, an incarnation, or the number of bytes of a report that the leader has
 * @param node the joining node
 * @param committed the ids of transactions that have committed
 */
record RecoveryOrder(
        long incarnation,
        long term,
        long round,
        long configEpoch,
        Step step,
        BitSet nodes,
        Placement before,
        Placement after,
        long number,
        int node,
        Set<Long> committed) {
    private static final int MAX_COUNT = 1 << 20;

    /** The steps; see {@link RecoverySteps}. */
    enum Step {
        FREEZE,
        SETTLE,
        REPORT,
        REPORT_MORE,
        REPLAY,
        WELCOME,
        COPY,
        INSTALL,
        SAVE
    }

    /** Whether this order is of a later round than another one. */
    boolean isAfter(long otherTerm, long otherRound) {
        return term > otherTerm || (term == otherTerm && round > otherRound);
    }

    byte[] toBytes() {
        return bytes(out -> {
            out.writeLong(incarnation);
            out.writeLong(term);
            out.writeLong(round);
            out.writeLong(configEpoch);
            out.writeUTF(step.name());
            write(out, nodes.toByteArray());
            write(out, before);
            write(out, after);
            out.writeLong(number);
            out.writeInt(node);
            out.writeInt(committed.size());
            for (long id : committed) {
                out.writeLong(id);
            }
        });
    }

    /**
     * The order that {@link #toBytes} has encoded.
     *
     * @param home the cluster's placement while no node is missing
     */
    static RecoveryOrder of(byte[] bytes, Placement home) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            return new RecoveryOrder(
                    in.readLong(),
                    in.readLong(),
                    in.readLong(),
                    in.readLong(),
                    Step.valueOf(in.readUTF()),
                    BitSet.valueOf(in.readNBytes(count(in))),
                    placement(in, home),
                    placement(in, home),
                    in.readLong(),
                    in.readInt(),
                    ids(in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Set<Long> ids(DataInputStream in) throws IOException {
        Set<Long> ids = new HashSet<>();
        for (int left = count(in); left > 0; left--) {
            ids.add(in.readLong());
        }
        return ids;
    }

    private static void write(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static void write(DataOutputStream out, Placement placement) throws IOException {
        List<List<Integer>> holders = placement.holders();
        out.writeInt(holders.size());
        for (List<Integer> each : holders) {
            out.writeInt(each.size());
            for (int holder : each) {
                out.writeInt(holder);
            }
        }
    }

    private static Placement placement(DataInputStream in, Placement home) throws IOException {
        List<List<Integer>> holders = new ArrayList<>();
        for (int left = count(in); left > 0; left--) {
            List<Integer> each = new ArrayList<>();
            for (int more = count(in); more > 0; more--) {
                each.add(in.readInt());
            }
            holders.add(each);
        }
        return home.withHolders(holders);
    }

    private static int count(DataInputStream in) throws IOException {
        int count = in.readInt();
        if (count < 0 || count > MAX_COUNT) {
            throw new IOException("a count of " + count);
        }
        return count;
    }

    // ---- reports --------------------------------------------------------------------------------------------------

    /** A report about the coordinators of lost nodes. */
    static byte[] toBytes(LogReport report) {
        return bytes(out -> {
            out.writeInt(report.logged().size());
            for (LoggedTransaction txn : report.logged()) {
                out.writeLong(txn.id());
                out.writeBoolean(txn.aborted());
                out.writeBoolean(txn.undecided());
                out.writeInt(txn.log());
                out.writeLong(txn.position());
                out.writeInt(txn.partitions().size());
                for (int partition : txn.partitions()) {
                    out.writeShort(partition);
                }
            }
            for (Map.Entry<Integer, long[]> each : new TreeMap<>(report.replayedIds()).entrySet()) {
                for (int coroutine = 0; coroutine <= Timestamp.MAX_COROUTINE; coroutine++) {
                    long id = each.getValue()[coroutine];
                    if (id != Timestamp.NONE) {
                        out.writeInt(each.getKey());
                        out.writeInt(coroutine);
                        out.writeLong(id);
                    }
                }
            }
            out.writeInt(-1);
        });
    }

    /** The report that {@link #toBytes(LogReport)} has encoded. */
    static LogReport report(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            List<LoggedTransaction> logged = new ArrayList<>();
            for (int left = count(in); left > 0; left--) {
                long id = in.readLong();
                boolean aborted = in.readBoolean();
                boolean undecided = in.readBoolean();
                int log = in.readInt();
                long position = in.readLong();
                List<Integer> partitions = new ArrayList<>();
                for (int more = count(in); more > 0; more--) {
                    partitions.add(in.readUnsignedShort());
                }
                logged.add(new LoggedTransaction(id, aborted, undecided, log, position, partitions));
            }
            Map<Integer, long[]> replayed = new HashMap<>();
            for (int log = in.readInt(); log >= 0; log = in.readInt()) {
                long[] ids = replayed.computeIfAbsent(log, none -> new long[Timestamp.MAX_COROUTINE + 1]);
                ids[in.readInt()] = in.readLong();
            }
            return new LogReport(logged, replayed);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @FunctionalInterface
    private interface Writing {
        void to(DataOutputStream out) throws IOException;
    }

    private static byte[] bytes(Writing writing) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            writing.to(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // never: it goes to memory
        }
        return bytes.toByteArray();
    }
}
