package dev.rcc.core.txn;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Table;
import java.lang.foreign.Arena;
import java.util.Arrays;

/**
 * The intents that a transaction's attempts came to have for keys that they had fetched for weaker ones. The next attempt fetches the keys for these
 * intents. Keeps copies of the keys, since the buffers begin anew with each attempt. Allocates only to grow. Used on the transaction's coroutine.
 */
final class Foresight {
    private final AccessPlaces places = new AccessPlaces();
    private Table[] tables = {};
    private long[] keyHashes = {};
    private long[] identityOffsets = {};
    private Intent[] intents = {};
    private int size;
    private Memory identities = Memory.allocate(Arena.ofAuto(), 1024);
    private long identityBytes;

    /** Another transaction begins. */
    void clear() {
        if (size > 0) {
            size = 0;
            identityBytes = 0;
            places.clear(0);
        }
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** Remembers that the key of an access has this intent, too; of all intents that it was not fetched for, the latest counts. */
    void remember(Access access, Intent wanted, Memory buffers) {
        int known = find(access.table(), access.keyHash(), buffers, access.identityOffset());
        if (known >= 0) {
            intents[known] = wanted;
            return;
        }
        if (size == tables.length) {
            int length = Math.max(16, 2 * size);
            tables = Arrays.copyOf(tables, length);
            keyHashes = Arrays.copyOf(keyHashes, length);
            identityOffsets = Arrays.copyOf(identityOffsets, length);
            intents = Arrays.copyOf(intents, length);
        }
        tables[size] = access.table();
        keyHashes[size] = access.keyHash();
        identityOffsets[size] =
                keep(buffers, access.identityOffset(), access.layout().identityBytes());
        intents[size] = wanted;
        size++;
        place();
    }

    /** The intent that a key came to have, or null. */
    Intent of(Table table, long keyHash, Memory buffers, long identity) {
        int i = find(table, keyHash, buffers, identity);
        return i < 0 ? null : intents[i];
    }

    private int find(Table table, long keyHash, Memory buffers, long identity) {
        int place = places.first(table.id(), keyHash);
        for (int i = places.at(place); i >= 0; i = places.at(place)) {
            if (keyHashes[i] == keyHash
                    && tables[i] == table
                    && buffers.equalWords(
                            identity,
                            identities,
                            identityOffsets[i],
                            table.layout().tuple().identityBytes())) {
                return i;
            }
            place = places.next(place);
        }
        return -1;
    }

    private void place() {
        if (places.isFull(size)) {
            places.clear(size);
            for (int i = 0; i < size; i++) {
                places.put(tables[i].id(), keyHashes[i], i);
            }
        } else {
            places.put(tables[size - 1].id(), keyHashes[size - 1], size - 1);
        }
    }

    private long keep(Memory buffers, long identity, int bytes) {
        if (identityBytes + bytes > identities.size()) {
            Memory larger = Memory.allocate(Arena.ofAuto(), 2 * (identityBytes + bytes));
            identities.copy(0, larger, 0, identityBytes);
            identities = larger;
        }
        long offset = identityBytes;
        buffers.copy(identity, identities, offset, bytes);
        identityBytes += bytes;
        return offset;
    }
}
