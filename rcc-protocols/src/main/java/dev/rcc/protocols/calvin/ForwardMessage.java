package dev.rcc.protocols.calvin;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.memory.Memory;

/**
 * A participant's message for one part of a transaction: for each key the result and, if there is one, the tuple's
 * image, for a blind write without the record; and, after them, the flag that the part has arrived. By RPC the message
 * contains all this and the handler puts it in its place; one-sided, each piece is a WRITE to that place, and the flag's
 * WRITE is the last of the same batch.
 *
 * <pre>
 *  message                                item                                   result (in the item and at the target)
 *   0   number of items                    0   place of the image                 0   1 found, 2 absent, 3 no room
 *   8   place of the flag                  8   63..32 bytes of the image          8   offset of the tuple, or of the
 *  16   value of the flag                      31..0 number of the item               slot reserved for an insert
 *  24   place of the results              16   result                            16   version of the key's leaf
 *  32   id of the submission              48   image                             24   version of the reserved slot
 *  40   items
 * </pre>
 *
 * The flag of a part that has arrived is the submission's id, and the flag of a refused part the id's complement; before, it is neither. A vote on an
 * execution is a message without items, to a flag of its own: the id if the part has executed and commits, the complement if it cannot execute, or
 * does not commit.
 */
final class ForwardMessage {
    /** The key has a tuple, whose image is there. */
    static final int FOUND = 1;
    /** The key has no tuple. */
    static final int ABSENT = 2;
    /** There is no room for the key that is to be inserted. */
    static final int FULL = 3;

    /** Bytes of a result. */
    static final int RESULT_BYTES = 32;
    /** Bytes of a message before its items. */
    static final int HEADER_BYTES = 40;

    private static final int FLAG_OFFSET = 8;
    private static final int FLAG_VALUE_OFFSET = 16;
    private static final int RESULTS_OFFSET = 24;
    private static final int SUBMISSION_OFFSET = 32;

    private static final int LENGTH_OFFSET = 8;
    private static final int ITEM_RESULT_OFFSET = 16;
    private static final int ITEM_IMAGE_OFFSET = ITEM_RESULT_OFFSET + RESULT_BYTES;

    private static final int TUPLE_OFFSET = 8;
    private static final int LEAF_VERSION_OFFSET = 16;
    private static final int SLOT_VERSION_OFFSET = 24;

    private ForwardMessage() {}

    /** The flag of a part that was refused, or has no writes of its own to commit. */
    static long refused(long id) {
        return ~id;
    }

    /** Whether the flag of a part is set. */
    static boolean isNoted(long flag, long id) {
        return flag == id || flag == ~id;
    }

    static int itemBytes(int imageBytes) {
        return ITEM_IMAGE_OFFSET + imageBytes;
    }

    // ---- composing -------------------------------------------------------------------------------------------------

    static void encodeHeader(
            Memory m, long message, int items, long flagOffset, long flagValue, long resultsOffset, long submission) {
        m.putLong(message, items);
        m.putLong(message + FLAG_OFFSET, flagOffset);
        m.putLong(message + FLAG_VALUE_OFFSET, flagValue);
        m.putLong(message + RESULTS_OFFSET, resultsOffset);
        m.putLong(message + SUBMISSION_OFFSET, submission);
    }

    static void encodeItem(Memory m, long item, long imageTarget, int imageBytes, int number) {
        m.putLong(item, imageTarget);
        m.putLong(item + LENGTH_OFFSET, (long) imageBytes << 32 | number);
    }

    static void encodeResult(Memory m, long result, int status, long tuple, long leafVersion, long slotVersion) {
        m.putLong(result, status);
        m.putLong(result + TUPLE_OFFSET, tuple);
        m.putLong(result + LEAF_VERSION_OFFSET, leafVersion);
        m.putLong(result + SLOT_VERSION_OFFSET, slotVersion);
    }

    static long itemResult(long item) {
        return item + ITEM_RESULT_OFFSET;
    }

    static long itemImage(long item) {
        return item + ITEM_IMAGE_OFFSET;
    }

    // ---- delivering ------------------------------------------------------------------------------------------------

    /** Appends the WRITEs of a message that has been composed in the buffers. */
    static void write(Memory m, long message, Batch batch) {
        int home = batch.peer();
        long results = m.getLong(message + RESULTS_OFFSET);
        long item = message + HEADER_BYTES;
        for (int i = 0; i < m.getLong(message); i++) {
            int imageBytes = imageBytes(m, item);
            if (imageBytes > 0) {
                batch.write(itemImage(item), imageBytes, CalvinLayout.address(home, m.getLong(item)));
            }
            long result = results + (long) number(m, item) * RESULT_BYTES;
            batch.write(itemResult(item), RESULT_BYTES, CalvinLayout.address(home, result));
            item += itemBytes(imageBytes);
        }
        long flag = m.getLong(message + FLAG_OFFSET);
        batch.writeWord(m.getLong(message + FLAG_VALUE_OFFSET), CalvinLayout.address(home, flag));
    }

    /** The id of the submission for which a message comes. */
    static long submission(Memory m, long message) {
        return m.getLong(message + SUBMISSION_OFFSET);
    }

    /** Puts a message's contents in their places: the handler's side. */
    static void deliver(Memory m, long message, Memory buffers) {
        long results = m.getLong(message + RESULTS_OFFSET);
        long item = message + HEADER_BYTES;
        for (int i = 0; i < m.getLong(message); i++) {
            int imageBytes = imageBytes(m, item);
            if (imageBytes > 0) {
                m.copy(itemImage(item), buffers, m.getLong(item), imageBytes);
            }
            m.copy(itemResult(item), buffers, results + (long) number(m, item) * RESULT_BYTES, RESULT_BYTES);
            item += itemBytes(imageBytes);
        }
        buffers.putRelease(m.getLong(message + FLAG_OFFSET), m.getLong(message + FLAG_VALUE_OFFSET));
    }

    // ---- reading results -------------------------------------------------------------------------------------------

    static int status(Memory m, long result) {
        return (int) m.getLong(result);
    }

    static long tupleOffset(Memory m, long result) {
        return m.getLong(result + TUPLE_OFFSET);
    }

    static long leafVersion(Memory m, long result) {
        return m.getLong(result + LEAF_VERSION_OFFSET);
    }

    static long slotVersion(Memory m, long result) {
        return m.getLong(result + SLOT_VERSION_OFFSET);
    }

    private static int imageBytes(Memory m, long item) {
        return (int) (m.getLong(item + LENGTH_OFFSET) >>> 32);
    }

    private static int number(Memory m, long item) {
        return (int) m.getLong(item + LENGTH_OFFSET);
    }
}
