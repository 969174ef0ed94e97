package dev.rcc.server.membership;

import dev.rcc.core.cluster.Placement;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The members of the cluster, and the nodes that hold its partitions. Immutable.
 *
 * <p>Configuration 0 is that of a cluster that has not formed: it has no members. A <i>change</i> is what a leader is doing; it is
 * recorded here so that the next leader begins it again if that leader is lost.
 *
 * @param epoch the number of this configuration
 * @param incarnations by node: the incarnation in which it is a member; 0 if it is not a member
 * @param holders by partition: the nodes that hold a copy, the primary first
 * @param changing whether a change has begun
 * @param leaving the members that the change takes out
 */
public record Configuration(
        long epoch, List<Long> incarnations, List<List<Integer>> holders, boolean changing, BitSet leaving) {
    /** In place of an incarnation: the node is no member. */
    public static final long NO_MEMBER = 0;

    private static final int MAX_NODES = 256;

    /** Takes copies. */
    public Configuration {
        incarnations = List.copyOf(incarnations);
        holders = holders.stream().map(List::copyOf).toList();
        leaving = (BitSet) leaving.clone();
        if (incarnations.size() != holders.size()) {
            throw new IllegalArgumentException(
                    "there are as many partitions as nodes, got " + holders.size() + " and " + incarnations.size());
        }
    }

    /** The configuration of a cluster that has not formed. */
    static Configuration none(Placement home) {
        return of(
                0, IntStream.range(0, home.nodes()).mapToObj(node -> NO_MEMBER).toList(), home);
    }

    /** A configuration that is never in force, whichever node proposes it. */
    static Configuration nothing(Placement home) {
        return of(
                -1, IntStream.range(0, home.nodes()).mapToObj(node -> NO_MEMBER).toList(), home);
    }

    /** A configuration without a change under way. */
    public static Configuration of(long epoch, List<Long> incarnations, Placement placement) {
        return new Configuration(epoch, incarnations, placement.holders(), false, new BitSet());
    }

    /** The same configuration, about to change. */
    Configuration changing(BitSet newLeaving) {
        return new Configuration(epoch, incarnations, holders, true, newLeaving);
    }

    /** Whether the cluster has formed. */
    public boolean hasFormed() {
        return epoch > 0;
    }

    /** Whether a node is a member, in this incarnation of it. */
    public boolean isMember(int node, long incarnation) {
        return incarnation != NO_MEMBER && incarnations.get(node) == incarnation;
    }

    /** Whether a node is a member. */
    public boolean isMember(int node) {
        return incarnations.get(node) != NO_MEMBER;
    }

    /** The members. */
    public BitSet members() {
        BitSet members = new BitSet();
        IntStream.range(0, incarnations.size()).filter(this::isMember).forEach(members::set);
        return members;
    }

    /**
     * The placement of the partitions.
     *
     * @param home the cluster's placement while no node is missing
     */
    public Placement placement(Placement home) {
        return home.withHolders(holders);
    }

    @Override
    public BitSet leaving() {
        return (BitSet) leaving.clone();
    }

    byte[] toBytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeLong(epoch);
            out.writeInt(incarnations.size());
            for (long incarnation : incarnations) {
                out.writeLong(incarnation);
            }
            for (List<Integer> each : holders) {
                out.writeInt(each.size());
                for (int holder : each) {
                    out.writeInt(holder);
                }
            }
            out.writeBoolean(changing);
            byte[] bits = leaving.toByteArray();
            out.writeInt(bits.length);
            out.write(bits);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // never: it goes to memory
        }
        return bytes.toByteArray();
    }

    static Configuration of(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            long epoch = in.readLong();
            int nodes = count(in.readInt());
            Long[] incarnations = new Long[nodes];
            for (int node = 0; node < nodes; node++) {
                incarnations[node] = in.readLong();
            }
            List<List<Integer>> holders = new ArrayList<>();
            for (int partition = 0; partition < nodes; partition++) {
                Integer[] each = new Integer[count(in.readInt())];
                for (int i = 0; i < each.length; i++) {
                    each[i] = in.readInt();
                }
                holders.add(Arrays.asList(each));
            }
            boolean changing = in.readBoolean();
            byte[] bits = in.readNBytes(count(in.readInt()));
            return new Configuration(epoch, Arrays.asList(incarnations), holders, changing, BitSet.valueOf(bits));
        } catch (IOException e) {
            throw new UncheckedIOException("a configuration of " + bytes.length + " bytes cannot be read", e);
        }
    }

    private static int count(int count) throws IOException {
        if (count < 0 || count > MAX_NODES) {
            throw new IOException("a count of " + count);
        }
        return count;
    }
}
