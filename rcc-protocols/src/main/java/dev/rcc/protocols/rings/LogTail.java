package dev.rcc.protocols.rings;

import dev.rcc.core.log.LogEntry;

/**
 * The write end of one log ring: the position of the next entry, and the position up to which the entries are decided. Pure
 * bookkeeping of the worker that owns the ring; the bytes are written by the log stage. Used on that worker only, by all its
 * coroutines.
 *
 * <p>Entries are appended in order but decided out of order. {@link #decided} moves over the longest decided prefix.
 */
public final class LogTail {
    /** {@link #paddingPosition} when the last reservation needed no padding. */
    public static final long NO_PADDING = -1;
    /** {@link #nextUndecided} when there is none. */
    public static final long NO_TICKET = -1;

    private final int backup;
    private final int ring;
    private final LogRingLayout layout;
    private final int[] paddings;
    private final long[] starts;
    private final long[] ends;
    private final boolean[] done;
    private final int mask;
    private long firstTicket;
    private long nextTicket;
    private long tail;
    private long knownHead;
    private long decided;
    private long announced;
    private long paddingPosition = NO_PADDING;
    private long durable;
    private boolean asking;
    private boolean suspected;

    /**
     * The write end of {@code ring} on the node {@code backup}.
     *
     * @param outstanding how many entries can be undecided at once: the coroutines of the worker
     */
    LogTail(int backup, int ring, LogRingLayout layout, int outstanding) {
        this.backup = backup;
        this.ring = ring;
        this.layout = layout;
        int size = Integer.highestOneBit(Math.max(1, outstanding) * 2 - 1) * 2;
        this.paddings = new int[size];
        this.starts = new long[size];
        this.ends = new long[size];
        this.done = new boolean[size];
        this.mask = size - 1;
    }

    /** The node that holds the ring. */
    public int backup() {
        return backup;
    }

    /** The ring's number on that node. */
    public int ring() {
        return ring;
    }

    /** Whether an entry of {@code bytes} bytes can be reserved, given the ring's head that the writer received last. */
    public boolean hasRoom(int bytes) {
        return end(bytes) - knownHead <= layout.ringBytes() && nextTicket - firstTicket < ends.length;
    }

    /** Whether an entry of {@code bytes} bytes fits in the ring at all, wherever the tail is. */
    public boolean canEverFit(int bytes) {
        return bytes <= layout.ringBytes() / 2;
    }

    /**
     * Reserves room for an entry; {@link #hasRoom} must be true. If the entry does not fit before the ring's end,
     * {@link #paddingPosition} says where padding of {@link #paddingBytes} bytes must be written as well.
     *
     * @return a ticket for {@link #position} and {@link #decide}
     */
    public long reserve(int bytes) {
        assert hasRoom(bytes) && bytes % LogEntry.ALIGNMENT == 0 : bytes;
        long start = start(bytes);
        paddingPosition = start == tail ? NO_PADDING : tail;
        paddings[(int) nextTicket & mask] = (int) (start - tail);
        tail = start + bytes;
        starts[(int) nextTicket & mask] = start;
        ends[(int) nextTicket & mask] = tail;
        done[(int) nextTicket & mask] = false;
        return nextTicket++;
    }

    /** The position of the entry that was reserved last. */
    public long position(int bytes) {
        return tail - bytes;
    }

    /** Where padding goes before the entry that was reserved last, or {@link #NO_PADDING}. */
    public long paddingPosition() {
        return paddingPosition;
    }

    /** Bytes of the padding before the entry of {@code bytes} bytes that was reserved last. */
    public int paddingBytes(int bytes) {
        return (int) (position(bytes) - paddingPosition);
    }

    /** The transaction of this ticket has committed, or its entry is marked as aborted. */
    public void decide(long ticket) {
        assert ticket >= firstTicket && ticket < nextTicket : ticket;
        done[(int) ticket & mask] = true;
        while (firstTicket < nextTicket && done[(int) firstTicket & mask]) {
            decided = ends[(int) firstTicket & mask];
            firstTicket++;
        }
    }

    /** The position after the entry of this ticket, which is not decided yet. */
    public long endOf(long ticket) {
        assert ticket >= firstTicket && ticket < nextTicket : ticket;
        return ends[(int) ticket & mask];
    }

    /** The position of the entry of this ticket, which is not decided yet. */
    public long startOf(long ticket) {
        assert ticket >= firstTicket && ticket < nextTicket : ticket;
        return starts[(int) ticket & mask];
    }

    /** Bytes of the padding before the entry of this ticket, which is not decided yet; 0 if there is none. */
    public int paddingBefore(long ticket) {
        assert ticket >= firstTicket && ticket < nextTicket : ticket;
        return paddings[(int) ticket & mask];
    }

    /**
     * The first ticket, from {@code from} on, of an entry that is not decided, or {@link #NO_TICKET}.
     *
     * @param from 0 to begin with
     */
    public long nextUndecided(long from) {
        for (long ticket = Math.max(from, firstTicket); ticket < nextTicket; ticket++) {
            if (!done[(int) ticket & mask]) {
                return ticket;
            }
        }
        return NO_TICKET;
    }

    /** The backup is lost, with all entries that were logged there: none is undecided or to be replayed any more. */
    public void forget() {
        firstTicket = nextTicket;
        decided = tail;
        announced = tail;
        knownHead = tail;
        durable = tail;
    }

    /** The backup reported how far its entries are durable, or that its disk has {@linkplain LogRingLayout#FAILED failed}. */
    public void durable(long position) {
        durable = position == LogRingLayout.FAILED ? position : Math.max(durable, position);
    }

    /** Whether the backup has reported that every entry before {@code position} is durable. */
    public boolean isDurable(long position) {
        return durable >= position;
    }

    /** Whether the backup's disk has failed: nothing more becomes durable there. */
    public boolean isFailed() {
        return durable == LogRingLayout.FAILED;
    }

    /**
     * Begins to ask the backup for the position up to which its entries are durable, for all coroutines of the worker.
     *
     * @return false if a coroutine is asking already
     */
    public boolean beginAsking() {
        boolean begins = !asking;
        asking = true;
        return begins;
    }

    /**
     * Ends {@link #beginAsking}.
     *
     * @param answered whether the backup has answered; if not, it cannot be reached
     */
    public void endAsking(boolean answered) {
        asking = false;
        suspected = !answered;
    }

    /** The backup could not be reached: before anything more is logged there, the stage must reach it again. */
    public void suspect() {
        suspected = true;
    }

    /** Whether the last try to reach the backup failed. */
    public boolean isSuspected() {
        return suspected;
    }

    /** The backup has rejoined, in another incarnation and with an empty ring. Only while nothing is undecided. */
    public void restart() {
        forget();
        tail = 0;
        decided = 0;
        announced = 0;
        knownHead = 0;
        durable = 0;
        suspected = false;
    }

    /** Everything before this position is decided. */
    public long decided() {
        return decided;
    }

    /** Whether the backup has not been notified yet of everything that is decided. */
    public boolean hasUnannounced() {
        return announced < decided;
    }

    /** The backup has been notified, or a batch on its way notifies it, that everything before {@code position} is decided. */
    public void announced(long position) {
        announced = Math.max(announced, position);
    }

    /** The backup reported that everything before {@code head} has been replayed. */
    public void head(long head) {
        assert head <= tail : head + " > " + tail;
        knownHead = Math.max(knownHead, head);
    }

    /** The position after the last reserved entry. */
    public long tail() {
        return tail;
    }

    /** Whether the backup has replayed all entries, by the head that the writer received last. */
    public boolean isDrained() {
        return knownHead == tail;
    }

    private long start(int bytes) {
        long untilEnd = layout.ringBytes() - (tail & (layout.ringBytes() - 1));
        return bytes <= untilEnd ? tail : tail + untilEnd;
    }

    private long end(int bytes) {
        return start(bytes) + bytes;
    }
}
