package dev.rcc.protocols.calvin;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.KeyHash;
import dev.rcc.core.store.Table;
import dev.rcc.core.txn.Fragment;
import dev.rcc.core.txn.Intent;

/**
 * A batch's body, from {@link CalvinLayout#BATCH_BODY_OFFSET} on: the transactions' inputs in their order, that is
 * their keys and intents, and the places of the answers.
 *
 * <pre>
 *  body                                     submission                        item
 *   0   number of submissions                0   63..32 bytes                  0   63..48 partition | 47..32 part
 *   8   submissions                              31..0 number of items             31..16 table | 15..0 intent
 *                                            8   its id                        8   hash of the key
 *                                           16   place of the parts' flags     16  place of the tuple's image
 *                                           24   place of the results          24  identity
 *                                           32   63..32 the fragment's number, plus 1
 *                                                31..0 bytes of the next field
 *                                           40   the attempt's id, that of the transaction's
 *                                                first attempt, the fragment's arguments
 *                                            .   items
 * </pre>
 *
 * The coordinator's node and coroutine are in the id, which is a timestamp. A part is the keys of one worker of one
 * node. A closure has no number: its coordinator runs it, and the places of the answers are in the coordinator's buffer. The answers to a
 * fragment go to the inboxes of all nodes that execute it.
 */
final class InputMessage {
    /** The offset of the submissions in a body. */
    static final int SUBMISSIONS_OFFSET = 8;

    private static final int ID_OFFSET = 8;
    private static final int FLAGS_OFFSET = 16;
    private static final int RESULTS_OFFSET = 24;
    private static final int FRAGMENT_OFFSET = 32;
    private static final int BODY_OFFSET = 40;
    private static final int AGE_OFFSET = 48;
    private static final int ARGUMENTS_OFFSET = 56;

    private static final int HASH_OFFSET = 8;
    private static final int IMAGE_OFFSET = 16;
    private static final int IDENTITY_OFFSET = 24;

    private static final int SHORT = 0xFFFF;
    /** Most parts that a transaction can have. */
    static final int MAX_PARTS = SHORT;

    private InputMessage() {}

    // ---- composing -------------------------------------------------------------------------------------------------

    static int bytes(Submission submission) {
        int bytes = submission.fragment() == null
                ? BODY_OFFSET
                : ARGUMENTS_OFFSET + submission.fragment().argumentBytes();
        for (int i = 0; i < submission.size(); i++) {
            bytes += itemBytes(submission.key(i).table);
        }
        return bytes;
    }

    /** Writes a submission's inputs; the identities of its keys are in the same memory. */
    static void encode(Memory buffers, long offset, Submission submission) {
        long item = offset + BODY_OFFSET + encodeFragment(buffers, offset, submission);
        for (int i = 0; i < submission.size(); i++) {
            KeyList.Item key = submission.key(i);
            Table table = key.table;
            buffers.putLong(
                    item,
                    (long) key.partition << 48 | (long) key.part << 32 | (long) table.id() << 16 | key.intent.code());
            buffers.putLong(item + HASH_OFFSET, key.keyHash);
            buffers.putLong(item + IMAGE_OFFSET, key.imageOffset);
            int identityBytes = table.layout().tuple().identityBytes();
            buffers.copy(key.identityOffset, buffers, item + IDENTITY_OFFSET, identityBytes);
            item += itemBytes(table);
        }
        buffers.putLong(offset, (item - offset) << 32 | submission.size());
        buffers.putLong(offset + ID_OFFSET, submission.id());
        buffers.putLong(offset + FLAGS_OFFSET, submission.flagsOffset());
        buffers.putLong(offset + RESULTS_OFFSET, submission.resultsOffset());
    }

    private static int encodeFragment(Memory buffers, long offset, Submission submission) {
        Fragment fragment = submission.fragment();
        if (fragment == null) {
            buffers.putLong(offset + FRAGMENT_OFFSET, 0);
            return 0;
        }
        int bytes = ARGUMENTS_OFFSET - BODY_OFFSET + fragment.argumentBytes();
        buffers.putLong(offset + FRAGMENT_OFFSET, (submission.fragmentNumber() + 1L) << 32 | bytes);
        buffers.putLong(offset + BODY_OFFSET, submission.attemptId());
        buffers.putLong(offset + AGE_OFFSET, submission.age());
        fragment.putArguments(buffers, offset + ARGUMENTS_OFFSET);
        return bytes;
    }

    // ---- reading ---------------------------------------------------------------------------------------------------

    static int submissions(Memory memory, long body) {
        return (int) memory.getLong(body);
    }

    static int submissionBytes(Memory memory, long offset) {
        return (int) (memory.getLong(offset) >>> 32);
    }

    static int items(Memory memory, long offset) {
        return (int) memory.getLong(offset);
    }

    static long id(Memory memory, long offset) {
        return memory.getLong(offset + ID_OFFSET);
    }

    static long flagsOffset(Memory memory, long offset) {
        return memory.getLong(offset + FLAGS_OFFSET);
    }

    static long resultsOffset(Memory memory, long offset) {
        return memory.getLong(offset + RESULTS_OFFSET);
    }

    /** Whether a submission contains a fragment to run. */
    static boolean isFragment(Memory memory, long offset) {
        return memory.getLong(offset + FRAGMENT_OFFSET) != 0;
    }

    /** The number of the fragment of a submission that has one. */
    static int fragment(Memory memory, long offset) {
        return (int) (memory.getLong(offset + FRAGMENT_OFFSET) >>> 32) - 1;
    }

    /** The id of a fragment's attempt. */
    static long attemptId(Memory memory, long offset) {
        return memory.getLong(offset + BODY_OFFSET);
    }

    /** The id of the first attempt of a fragment's transaction. */
    static long age(Memory memory, long offset) {
        return memory.getLong(offset + AGE_OFFSET);
    }

    static long argumentsOffset(long offset) {
        return offset + ARGUMENTS_OFFSET;
    }

    static long firstItem(Memory memory, long offset) {
        return offset + BODY_OFFSET + (int) memory.getLong(offset + FRAGMENT_OFFSET);
    }

    static long nextItem(Memory memory, long item, Catalog catalog) {
        return item + itemBytes(table(memory, item, catalog));
    }

    static int partition(Memory memory, long item) {
        return (int) (memory.getLong(item) >>> 48);
    }

    static int part(Memory memory, long item) {
        return (int) (memory.getLong(item) >>> 32) & SHORT;
    }

    static Table table(Memory memory, long item, Catalog catalog) {
        return catalog.table((int) (memory.getLong(item) >>> 16) & SHORT);
    }

    static Intent intent(Memory memory, long item) {
        return Intent.ofCode((int) memory.getLong(item) & SHORT);
    }

    static long keyHash(Memory memory, long item) {
        return memory.getLong(item + HASH_OFFSET);
    }

    static long imageOffset(Memory memory, long item) {
        return memory.getLong(item + IMAGE_OFFSET);
    }

    static long identityOffset(long item) {
        return item + IDENTITY_OFFSET;
    }

    /** The worker that grants the locks of a key, on the node that holds it: one worker for all keys of a leaf. */
    static int worker(Table table, long keyHash, int workers) {
        long leaf = table.layout().leafOffset(keyHash);
        return (int) Math.unsignedMultiplyHigh(KeyHash.mix(leaf + table.id()), workers);
    }

    /** The node that holds an item's key. */
    static int node(Memory memory, long item, Placement placement) {
        return placement.primary(partition(memory, item));
    }

    private static int itemBytes(Table table) {
        return IDENTITY_OFFSET + table.layout().tuple().identityBytes();
    }
}
