package dev.rcc.core.log;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Poller;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The read ends of a node's log rings that one of its workers looks after: it replays what is decided, lazily, from its
 * event loop, and so makes room for more (rcc, 4.1). The rings of all nodes' workers number {@code i} belong to the
 * worker {@code i} here, so each ring has one reader.
 */
public final class LogRings implements Poller {
    private static final Logger LOG = LoggerFactory.getLogger(LogRings.class);

    /** Entries that one poll replays at most, so that transactions are not held up. */
    private static final int ENTRIES_PER_POLL = 32;

    private final Memory memory;
    private final LogRingLayout layout;
    private final int worker;
    private final ReplicaWriter replicas;
    private final long[] heads;
    private final long[] verified;
    private final boolean[] broken;
    private int nextRing;

    @SuppressWarnings("UnusedVariable") // what was touched is of no use, but the JIT must not know that
    private long touched;

    /**
     * The read ends that {@code worker} looks after.
     *
     * @param memory the node's log region
     * @param replicas where the entries are replayed
     */
    public LogRings(Memory memory, LogRingLayout layout, int worker, ReplicaWriter replicas) {
        this.memory = memory;
        this.layout = layout;
        this.worker = worker;
        this.replicas = replicas;
        this.heads = new long[layout.rings()];
        this.verified = new long[layout.rings()];
        this.broken = new boolean[layout.rings()];
        this.nextRing = worker;
    }

    /** The log region. */
    public Memory memory() {
        return memory;
    }

    /** The layout of the region. */
    public LogRingLayout layout() {
        return layout;
    }

    /** Replays some decided entries, of each ring in its turn. */
    @Override
    public int poll() {
        int budget = ENTRIES_PER_POLL;
        for (int ring = worker; ring < layout.rings() && budget > 0; ring += layout.workers()) {
            budget -= replay(nextRing, budget);
            nextRing = nextRing + layout.workers() < layout.rings() ? nextRing + layout.workers() : worker;
        }
        int count = ENTRIES_PER_POLL - budget;
        return count;
    }

    private int replay(int ring, int budget) {
        long head = heads[ring];
        long decided = memory.getAcquire(layout.decidedOffset(ring));
        if (head >= decided || broken[ring]) {
            return 0;
        }
        verify(ring, decided, budget);
        int count = 0;
        while (head < verified[ring] && count < budget) {
            long offset = layout.entryOffset(ring, head);
            long kindAndLength = memory.getLong(offset + LogEntry.KIND_OFFSET);
            try {
                if (LogEntry.kind(kindAndLength) == LogEntry.TRANSACTION && !replicas.apply(memory, offset)) {
                    break; // it follows an entry of another ring that has not been replayed yet
                }
            } catch (RuntimeException e) {
                markBroken(ring, head, e);
                break;
            }
            head += LogEntry.length(kindAndLength);
            count++;
        }
        if (count > 0) {
            heads[ring] = head;
            memory.putRelease(layout.headOffset(ring), head);
        }
        if (!broken[ring] && head == verified[ring] && count < budget && head < decided) {
            markBroken(ring, head, null);
        }
        return count;
    }

    /** Checks the next decided entries, each once, and touches what they are about. Stops at one that is not whole. */
    private void verify(int ring, long decided, int budget) {
        for (int i = 0; i < budget && verified[ring] < decided; i++) {
            long offset = layout.entryOffset(ring, verified[ring]);
            if (!isWhole(offset, verified[ring])) {
                return;
            }
            long kindAndLength = memory.getLong(offset + LogEntry.KIND_OFFSET);
            if (LogEntry.kind(kindAndLength) == LogEntry.TRANSACTION) {
                touched += touch(offset);
            }
            verified[ring] += LogEntry.length(kindAndLength);
        }
    }

    private long touch(long offset) {
        try {
            return replicas.touch(memory, offset);
        } catch (RuntimeException e) {
            return 0; // replaying it will fail in the same way, and tell
        }
    }

    private boolean isWhole(long offset, long position) {
        if (memory.getAcquire(offset + LogEntry.STAMP_OFFSET) != LogEntry.stamp(position)) {
            return false;
        }
        long kindAndLength = memory.getLong(offset + LogEntry.KIND_OFFSET);
        int length = LogEntry.length(kindAndLength);
        long untilEnd = layout.ringBytes() - (position & (layout.ringBytes() - 1));
        if (!LogEntry.isKindAndLength(kindAndLength) || length < LogEntry.ALIGNMENT || length > untilEnd) {
            return false;
        }
        return switch (LogEntry.kind(kindAndLength)) {
            case LogEntry.PADDING, LogEntry.ABORTED -> true;
            case LogEntry.TRANSACTION -> LogEntry.isIntact(memory, offset, length);
            default -> false;
        };
    }

    /** Stops at damage instead of guessing past it: the writer will find the ring full and say so. */
    private void markBroken(int ring, long position, RuntimeException cause) {
        broken[ring] = true;
        LOG.error("log ring {} is damaged at position {}: this backup replays it no further", ring, position, cause);
    }
}
