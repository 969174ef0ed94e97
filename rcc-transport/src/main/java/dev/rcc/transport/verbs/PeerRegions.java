package dev.rcc.transport.verbs;

import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.transport.Regions;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A peer's registered regions: by region id, the region's start in the peer's address space, its length, and its remote
 * key. Batches are checked against them before they are posted, as one request to a wrong address ends the connection for all
 * requests. Immutable once it is handed to the workers.
 */
final class PeerRegions {
    private static final int ENTRY_BYTES = Integer.BYTES + Long.BYTES + Long.BYTES + Integer.BYTES;

    private long[] bases = {};
    /** The lengths in bytes; 0 where there is no region. */
    private long[] lengths = {};

    private int[] rkeys = {};
    private int count;

    void add(int id, long base, long bytes, int rkey) {
        if (id >= bases.length) {
            int longer = Math.max(id + 1, bases.length * 2);
            bases = Arrays.copyOf(bases, longer);
            lengths = Arrays.copyOf(lengths, longer);
            rkeys = Arrays.copyOf(rkeys, longer);
        }
        bases[id] = base;
        lengths[id] = bytes;
        rkeys[id] = rkey;
        count++;
    }

    /** Whether {@code bytes} bytes at an address lie in a region. */
    boolean covers(long address, int bytes) {
        int id = RemoteAddress.region(address);
        return id < lengths.length
                && bytes >= 0
                && RemoteAddress.offset(address) <= lengths[id] - bytes
                && lengths[id] > 0;
    }

    boolean has(int id) {
        return id < lengths.length && lengths[id] > 0;
    }

    long lengthOf(int id) {
        return lengths[id];
    }

    /** The byte's address in the peer's address space. */
    long virtualAddress(long address) {
        return bases[RemoteAddress.region(address)] + RemoteAddress.offset(address);
    }

    int rkey(long address) {
        return rkeys[RemoteAddress.region(address)];
    }

    int encodedBytes() {
        return Integer.BYTES + count * ENTRY_BYTES;
    }

    void encode(ByteBuffer to) {
        to.putInt(count);
        for (int id = 0; id < lengths.length; id++) {
            if (lengths[id] > 0) {
                to.putInt(id).putLong(bases[id]).putLong(lengths[id]).putInt(rkeys[id]);
            }
        }
    }

    static PeerRegions decode(ByteBuffer from) {
        PeerRegions regions = new PeerRegions();
        for (int i = from.getInt(); i > 0; i--) {
            int id = from.getInt();
            Regions.checkId(id);
            regions.add(id, from.getLong(), from.getLong(), from.getInt());
        }
        return regions;
    }
}
