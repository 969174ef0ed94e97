package dev.rcc.core.memory;

/**
 * A registered piece of a node's memory, which the node's peers may reach with one-sided verbs. A region has the same id on every node for the same
 * purpose, so that an address can be computed without asking its owner.
 *
 * @param node the node that owns the memory
 * @param id the region's id on that node, 0 to {@link RemoteAddress#MAX_REGION}
 * @param memory the bytes
 */
public record Region(int node, int id, Memory memory) {
    /** Checks the ids against the widths of {@link RemoteAddress}. */
    public Region {
        RemoteAddress.of(node, id, memory.size() - 1);
    }

    /** The cluster-wide address of a byte of this region. */
    public long address(long offset) {
        return RemoteAddress.of(node, id, offset);
    }
}
