package dev.rcc.bench.history;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.time.Timestamp;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;

/**
 * The recorded transactions of one worker, in chunks of words, which are in arrays or in files. The worker appends; other threads read
 * the published words at any time.
 *
 * <pre>
 *  chunk:       | words that are published | node, worker | transaction ...
 *  transaction: | words | id | begin | end | status, coroutine | operation ...
 *  operation:   | kind, table, key bytes or partition | version | key or leaf, whole words
 * </pre>
 */
final class WorkerLog {
    private static final int CHUNK_HEADER_WORDS = 2;
    private static final int OWNER = 1;
    private static final int HEADER_WORDS = 5;
    private static final int END = 3;
    private static final int STATUS = 4;
    private static final int FIELD_BITS = 16;
    private static final int FIELD_MASK = (1 << FIELD_BITS) - 1;
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

    private final int node;
    private final int worker;
    private final IntFunction<MemorySegment> memory;
    private final Chunk first;
    private Chunk last;
    /** The words of the transaction that is being recorded. */
    private long[] words = new long[256];

    private int size;
    private long allowance;
    private volatile long missed;

    /** By coroutine: the place of its transaction that has begun to log and has no certain end yet. */
    private final Logging[] logging = new Logging[Timestamp.MAX_COROUTINE + 1];

    /**
     * An empty log.
     *
     * @param memory allocates memory for at least the given number of words, all 0
     */
    WorkerLog(int node, int worker, IntFunction<MemorySegment> memory) {
        this.node = node;
        this.worker = worker;
        this.memory = memory;
        this.first = new Chunk(memory.apply(0));
        this.last = first;
        own(first);
    }

    /** The log that a worker left in a chunk. */
    WorkerLog(MemorySegment chunk) {
        this.memory = words -> {
            throw new IllegalStateException("another worker's log");
        };
        this.first = new Chunk(chunk);
        this.last = first;
        long owner = first.word(OWNER);
        this.node = (int) (owner >>> FIELD_BITS);
        this.worker = (int) owner & FIELD_MASK;
    }

    private void own(Chunk chunk) {
        chunk.set(OWNER, ((long) node << FIELD_BITS) | worker);
    }

    private static final class Chunk {
        private final MemorySegment words;
        private volatile Chunk next;

        private Chunk(MemorySegment words) {
            this.words = words;
        }

        long word(int at) {
            return (long) WORD.get(words, (long) at * Long.BYTES);
        }

        void set(int at, long word) {
            WORD.set(words, (long) at * Long.BYTES, word);
        }

        /** The end of the published words. */
        int end() {
            return CHUNK_HEADER_WORDS + (int) (long) WORD.getAcquire(words, 0L);
        }

        /** Publishes the words before {@code end}. */
        void publish(int end) {
            WORD.setRelease(words, 0L, (long) end - CHUNK_HEADER_WORDS);
        }

        boolean hasRoom(int more) {
            return (long) (end() + more) * Long.BYTES <= words.byteSize();
        }
    }

    /** A transaction that was recorded before it ended. */
    private record Logging(long id, Chunk chunk, int at) {}

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

    /** Number of transactions that were not recorded because of the limit. */
    long missed() {
        return missed;
    }

    void begin(long id, long beginNanos, long endNanos, Status status, int coroutine) {
        size = 1;
        push(id);
        push(beginNanos);
        push(endNanos);
        push(statusWord(status, coroutine));
    }

    private static long statusWord(Status status, int coroutine) {
        return ((long) Arrays.asList(HistoryBuilder.STATUSES).indexOf(status) << FIELD_BITS) | coroutine;
    }

    /** Adds an operation; the words of its key follow. */
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
        if (!last.hasRoom(size)) {
            Chunk chunk = new Chunk(memory.apply(CHUNK_HEADER_WORDS + size));
            own(chunk);
            last.next = chunk;
            last = chunk;
        }
        int at = last.end();
        MemorySegment.copy(words, 0, last.words, ValueLayout.JAVA_LONG, (long) at * Long.BYTES, size);
        last.publish(at + size);
    }

    /** Publishes a transaction that has not ended; its end must be reported to {@link #ended}. */
    void endOfLogging(long id, int coroutine) {
        end();
        logging[coroutine] = new Logging(id, last, last.end() - size);
    }

    /** Records the end of a transaction; false if the transaction was not recorded before. */
    boolean ended(long id, int coroutine, long endNanos, Status status) {
        Logging before = logging(id, coroutine);
        if (before == null) {
            return false;
        }
        before.chunk.set(before.at + END, endNanos);
        before.chunk.set(before.at + STATUS, statusWord(status, coroutine));
        if (status != Status.UNKNOWN) {
            logging[coroutine] = null;
        }
        return true;
    }

    /** Records that a transaction has aborted whose end was unknown, if the transaction was recorded before it was logged. */
    void settledAsAborted(long id, int coroutine) {
        Logging before = logging(id, coroutine);
        if (before != null) {
            logging[coroutine] = null;
            before.chunk.set(before.at + STATUS, statusWord(Status.ABORTED, coroutine));
        }
    }

    /** The transaction's place, if it has begun to log and has no certain end yet; otherwise null. */
    private Logging logging(long id, int coroutine) {
        Logging before = logging[coroutine];
        return before != null && before.id == id ? before : null;
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
        private int published = first.end();
        private int at;
        private int end = CHUNK_HEADER_WORDS;
        private byte[] key = new byte[64];

        /** Moves to the next transaction, if there is one. */
        boolean next() {
            at = end;
            if (at == published) {
                Chunk following = chunk.next;
                // If another chunk follows, this one is full, and all its published words are visible now.
                published = chunk.end();
                if (at == published) {
                    if (following == null) {
                        return false;
                    }
                    chunk = following;
                    published = chunk.end();
                    at = CHUNK_HEADER_WORDS;
                    end = at;
                }
            }
            if (at == published) {
                return false;
            }
            end = at + (int) chunk.word(at);
            return true;
        }

        long id() {
            return chunk.word(at + 1);
        }

        long endNanos() {
            return chunk.word(at + END);
        }

        void copyTo(HistoryBuilder builder, HistoryCollector.KeyNames names) {
            builder.begin(
                    "T" + Timestamp.toString(id()),
                    node + "." + worker + "." + (chunk.word(at + STATUS) & FIELD_MASK),
                    chunk.word(at + 2),
                    endNanos(),
                    HistoryBuilder.STATUSES[(int) (chunk.word(at + STATUS) >>> FIELD_BITS)]);
            for (int i = at + HEADER_WORDS; i < end; ) {
                long what = chunk.word(i);
                int kind = (int) (what >>> (2 * FIELD_BITS));
                int table = (int) (what >>> FIELD_BITS) & FIELD_MASK;
                int field = (int) what & FIELD_MASK;
                long version = chunk.word(i + 1);
                i += 2;
                if (kind == Op.LEAF_READ || kind == Op.LEAF_WRITE) {
                    builder.add(kind, names.leaf(builder, table, field, chunk.word(i)), version);
                    i++;
                } else {
                    int keyWords = Math.ceilDiv(field, Memory.WORD_BYTES);
                    copyKey(i, keyWords);
                    builder.add(kind, names.record(builder, table, key, field), version);
                    i += keyWords;
                }
            }
        }

        private void copyKey(int from, int keyWords) {
            if (key.length < keyWords * Memory.WORD_BYTES) {
                key = new byte[keyWords * Memory.WORD_BYTES];
            }
            for (int i = 0; i < keyWords * Memory.WORD_BYTES; i++) {
                key[i] = (byte) (chunk.word(from + i / Memory.WORD_BYTES) >>> ((i % Memory.WORD_BYTES) * Byte.SIZE));
            }
        }
    }
}
