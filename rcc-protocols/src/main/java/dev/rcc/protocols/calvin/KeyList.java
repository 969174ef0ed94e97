package dev.rcc.protocols.calvin;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Table;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import java.lang.foreign.Arena;
import java.util.Arrays;

/**
 * Keys with a transaction's intents. Reused, with its items; allocates nothing once it has held as many. Used on one worker.
 */
final class KeyList {
    private static final int INITIAL_ITEMS = 8;

    private Item[] items = {};
    private int size;
    private Memory identities;
    private int identityBytes;

    /** A key. The list's owner decides which fields it uses. */
    static final class Item {
        Table table;
        Intent intent;
        long keyHash;
        int partition;
        /** Its number in its submission. */
        int number;
        /** The part of the submission that locks and forwards it. */
        int part;
        /** The offset of its identity: in the coordinator's buffers, or in {@link KeyList#identities}. */
        long identityOffset;
        /** The place of its tuple's image, in the coordinator's buffer or in the inboxes. */
        long imageOffset;
        /** Whether a slot was reserved for it, which an insert fills or a release frees. */
        boolean reserved;
        /** The access that has been given that slot, which an insert fills; or null. */
        Access inserter;
    }

    void clear() {
        size = 0;
        identityBytes = 0;
    }

    int size() {
        return size;
    }

    Item get(int i) {
        return items[i];
    }

    /** The next item, to be filled in. */
    Item add(Table table, Intent intent, long keyHash) {
        if (size == items.length) {
            items = Arrays.copyOf(items, Math.max(INITIAL_ITEMS, 2 * size));
            for (int i = size; i < items.length; i++) {
                items[i] = new Item();
            }
        }
        Item item = items[size++];
        item.table = table;
        item.intent = intent;
        item.keyHash = keyHash;
        item.reserved = false;
        item.inserter = null;
        return item;
    }

    /** Keeps a copy of the item's identity, which lies in {@code memory}. */
    void keepIdentity(Item item, Memory memory, long offset) {
        int bytes = item.table.layout().tuple().identityBytes();
        if (identities == null || identityBytes + bytes > identities.size()) {
            Memory larger = Memory.allocate(Arena.ofAuto(), 2L * (identityBytes + bytes));
            if (identities != null) {
                identities.copy(0, larger, 0, identityBytes);
            }
            identities = larger;
        }
        memory.copy(offset, identities, identityBytes, bytes);
        item.identityOffset = identityBytes;
        identityBytes += bytes;
    }

    /** The memory of the identities that are kept; null if none was ever kept. */
    Memory identities() {
        return identities;
    }
}
