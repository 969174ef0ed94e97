package dev.rcc.bench.workload;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.store.Table;
import java.util.SplittableRandom;

/**
 * The keys of another distribution whose primary copy is on one node: keys are drawn until one is on the node. So the node must have some
 * of the keys, or a draw never ends.
 *
 * @param keys the distribution
 * @param table the table of the keys
 * @param placement where the table's partitions are
 * @param node the node
 */
public record KeysOfNode(KeyChooser keys, Table table, Placement placement, int node) implements KeyChooser {
    @Override
    public long next(SplittableRandom random) {
        long key = keys.next(random);
        while (!isHere(key)) {
            key = keys.next(random);
        }
        return key;
    }

    private boolean isHere(long key) {
        return placement.primary(table.partition(table.keyHash(key))) == node;
    }
}
