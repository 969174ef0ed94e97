package dev.rcc.bench.history;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.time.Timestamp;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * What one worker has recorded, in chunks of words. The worker appends; others read what it has published, at any time.
 *
 * <pre>
 *  transaction: | words | id | begin | end | status, coroutine | operation ...
 *  operation:   | kind, table, key bytes or partition | version | key or leaf, whole words
 * </pre>
 */
final class WorkerLog {
    private static final int CHUNK_WORDS = 1 << 15;
    private static final int HEADER_WORDS = 5;
    private static final int FIELD_BITS = 16;
    private static final int FIELD_MASK = (1 << FIELD_BITS) - 1;
    private static final VarHandle USED;

    static {
        try {
            USED = MethodHandles.lookup().findVarHandle(Chunk.class, "used", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int node;
    private final int worker;
    private final Chunk first = new Chunk(CHUNK_WORDS);
    private Chunk last = first;
    /** The transaction that is being recorded. */
    private long[] words = new long[256];

    private int size;
    private long allowance;
    private volatile long missed;

    WorkerLog(int node, int worker) {
        this.node = node;
        this.worker = worker;
    }

    private static final class Chunk {
        private final long[] words;
        /** Words up to here are published, by a release that readers acquire. */
        @SuppressWarnings("unused") // by its VarHandle
        private int used;

        private volatile Chunk next;

        private Chunk(int words) {
            this.words = new long[words];
        }
    }

    /** Whether the limit allows for one more transaction; if not, it is counted as missed. */
    boolean mayRecord(LongSupplier allotments) {
        if (allowance == 0) {
            allowance = missed > 0 ? 0 : allotments.getAsLong();
        }
        if (allowance == 0) {
            long before = missed; // written by this worker only
            missed = before + 1;
            return false;
        }
        allowance--;
        return true;
    }

    /** How many transactions the limit has left out. */
    long missed() {
        return missed;
    }

    void begin(long id, long beginNanos, long endNanos, Status status, int coroutine) {
        size = 1;
        push(id);
        push(beginNanos);
        push(endNanos);
        push(((long) Arrays.asList(HistoryBuilder.STATUSES).indexOf(status) << FIELD_BITS) | coroutine);
    }

    /** Adds an operation, whose key's words follow. */
    void add(int kind, int table, int keyBytesOrPartition, long version) {
        push(((((long) kind << FIELD_BITS) | table) << FIELD_BITS) | keyBytesOrPartition);
        push(version);
    }

    void addKeyWord(long word) {
        push(word);
    }

    /** Publishes the transaction. */
    void end() {
        words[0] = size;
        int used = (int) USED.get(last);
        if (last.words.length - used < size) {
            Chunk chunk = new Chunk(Math.max(CHUNK_WORDS, size));
            last.next = chunk;
            last = chunk;
            used = 0;
        }
        System.arraycopy(words, 0, last.words, used, size);
        USED.setRelease(last, used + size);
    }

    private void push(long word) {
        if (size == words.length) {
            words = Arrays.copyOf(words, size * 2);
        }
        words[size++] = word;
    }

    Cursor cursor() {
        return new Cursor();
    }

    /** Reads the transactions one by one. */
    final class Cursor {
        private Chunk chunk = first;
        private int used = (int) USED.getAcquire(first);
        private int at;
        private int end;
        private byte[] key = new byte[64];

        /** Moves to the next transaction, if there is one. */
        boolean next() {
            at = end;
            if (at == used) {
                Chunk following = chunk.next;
                // The chunk is full if another follows, and what was published before that is seen now.
                used = (int) USED.getAcquire(chunk);
                if (at == used) {
                    if (following == null) {
                        return false;
                    }
                    chunk = following;
                    used = (int) USED.getAcquire(chunk);
                    at = 0;
                    end = 0;
                }
            }
            if (at == used) {
                return false;
            }
            end = at + (int) chunk.words[at];
            return true;
        }

        long id() {
            return chunk.words[at + 1];
        }

        long endNanos() {
            return chunk.words[at + 3];
        }

        void copyTo(HistoryBuilder builder, HistoryCollector.KeyNames names) {
            long[] from = chunk.words;
            builder.begin(
                    "T" + Timestamp.toString(id()),
                    node + "." + worker + "." + (from[at + 4] & FIELD_MASK),
                    from[at + 2],
                    endNanos(),
                    HistoryBuilder.STATUSES[(int) (from[at + 4] >>> FIELD_BITS)]);
            for (int i = at + HEADER_WORDS; i < end; ) {
                int kind = (int) (from[i] >>> (2 * FIELD_BITS));
                int table = (int) (from[i] >>> FIELD_BITS) & FIELD_MASK;
                int field = (int) from[i] & FIELD_MASK;
                long version = from[i + 1];
                i += 2;
                if (kind == Op.LEAF_READ || kind == Op.LEAF_WRITE) {
                    builder.add(kind, names.leaf(builder, table, field, from[i]), version);
                    i++;
                } else {
                    int keyWords = Math.ceilDiv(field, Memory.WORD_BYTES);
                    copyKey(from, i, keyWords);
                    builder.add(kind, names.record(builder, table, key, field), version);
                    i += keyWords;
                }
            }
        }

        private void copyKey(long[] from, int at, int keyWords) {
            if (key.length < keyWords * Memory.WORD_BYTES) {
                key = new byte[keyWords * Memory.WORD_BYTES];
            }
            for (int i = 0; i < keyWords * Memory.WORD_BYTES; i++) {
                key[i] = (byte) (from[at + i / Memory.WORD_BYTES] >>> ((i % Memory.WORD_BYTES) * Byte.SIZE));
            }
        }
    }
}
