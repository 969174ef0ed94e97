package dev.rcc.server.locks;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.protocols.locks.LockSpace;
import dev.rcc.protocols.locks.LockToken;
import dev.rcc.server.config.LockNamespace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The locks that are at home on a node: by name, the address of each lock's words. A lock is at home on the primary of the partition that its
 * name hashes to. A name keeps its words for as long as the node's incarnation lasts, as the tokens of a lock must grow.
 *
 * <p>A node that becomes the home of a lock has no record of the lock's holders. So it returns the lock's address to no node until the longest
 * lease that the previous home can have granted is over.
 *
 * <p>For any thread.
 */
final class LockDirectory {
    /** The configuration in which a cluster forms; clusters that do not number configurations have 0. */
    private static final long FORMING_EPOCH = 1;

    /** The result of a search for a name. */
    sealed interface Answer {
        /**
         * The lock is here.
         *
         * @param address the address of its first word
         * @param epoch the configuration since which it is here
         */
        record Found(long address, long epoch) implements Answer {}

        /** Another node is the lock's home. */
        record Elsewhere() implements Answer {}

        /** The lock's address is returned to no node for so long. */
        record NotYet(long nanos) implements Answer {}

        /** The namespace has no room for another name here. */
        record Full() implements Answer {}

        /** The lock has been here since a configuration for which there are no tokens. */
        record Spent() implements Answer {}
    }

    private static final class Names {
        private final LockNamespace namespace;
        private final long first;
        private final Map<String, Long> places = new HashMap<>();

        Names(LockNamespace namespace, long first) {
            this.namespace = namespace;
            this.first = first;
        }
    }

    /**
     * The node's role as the home of a partition's locks.
     *
     * @param epoch the configuration since which it is the home
     * @param sinceNanos the time since which it is the home
     * @param isFirst whether no lock of the partition can have been granted before
     */
    private record Home(long epoch, long sinceNanos, boolean isFirst) {}

    private final int node;
    private final List<Names> namespaces = new ArrayList<>();
    /** By partition; null where another node is the home. */
    private Home[] homes = {};

    LockDirectory(int node, List<LockNamespace> all) {
        this.node = node;
        long first = 0;
        for (LockNamespace namespace : all) {
            namespaces.add(new Names(namespace, first));
            first += namespace.names();
        }
    }

    /** Bytes of the words of all locks that a node has room for. */
    static long regionBytes(List<LockNamespace> all) {
        return all.stream().mapToLong(LockNamespace::names).sum() * LockSpace.LOCK_BYTES;
    }

    /** The node enters a configuration. */
    synchronized void configured(long epoch, Placement placement, long nowNanos) {
        Home[] before = homes;
        boolean isFirst = before.length == 0 && epoch <= FORMING_EPOCH;
        homes = new Home[placement.partitions()];
        for (int partition = 0; partition < homes.length; partition++) {
            if (placement.primary(partition) == node) {
                boolean wasHome = partition < before.length && before[partition] != null;
                homes[partition] = wasHome ? before[partition] : new Home(epoch, nowNanos, isFirst);
            }
        }
    }

    /** Looks for a lock; a lock that no client has asked for yet is given words. */
    synchronized Answer find(int namespace, int partition, String name, long nowNanos) {
        Home home = partition < homes.length ? homes[partition] : null;
        if (home == null) {
            return new Answer.Elsewhere();
        }
        if (home.epoch > LockToken.MAX_EPOCH) {
            return new Answer.Spent();
        }
        Names names = namespaces.get(namespace);
        long left = names.namespace.longestLease().toNanos() - (nowNanos - home.sinceNanos);
        if (!home.isFirst && left > 0) {
            return new Answer.NotYet(left);
        }
        Long place = names.places.get(name);
        if (place == null) {
            if (names.places.size() == names.namespace.names()) {
                return new Answer.Full();
            }
            place = names.first + names.places.size();
            names.places.put(name, place);
        }
        return new Answer.Found(RemoteAddress.of(node, LockSpace.REGION, place * LockSpace.LOCK_BYTES), home.epoch);
    }

    /** How many names of a namespace are known here. */
    synchronized int names(int namespace) {
        return namespaces.get(namespace).places.size();
    }
}
