package dev.rcc.protocols.common;

import dev.rcc.core.memory.RemoteAddress;

/**
 * One lock that a {@link LockAcquisition} is about to take, and how far it has come. Reused from attempt to attempt; used on one
 * coroutine.
 */
public final class LockTry {
    /** How an attempt wants to hold a lock. */
    public enum Wish {
        /** To hold it with other transactions. */
        SHARED,
        /** To hold it alone. */
        EXCLUSIVE,
        /** To hold it alone where the attempt shares it. */
        UPGRADE
    }

    private long address = RemoteAddress.NONE;
    private Wish wish = Wish.EXCLUSIVE;
    private long result;
    private long seen;
    private long expected;
    private long held;
    private int retries;

    /** A lock that is not held yet. */
    public LockTry() {}

    /** Another attempt begins, which wants no lock yet. */
    public void reset() {
        address = RemoteAddress.NONE;
        retries = 0;
        held = 0;
    }

    /**
     * Begins to take a lock.
     *
     * @param lockAddress where its word lies
     * @param newWish how the attempt wants to hold it
     * @param lastSeen the word as it was when it was read last, or 0
     * @param resultOffset room for a word in the buffers, where the results of this lock's atomics land
     */
    public void begin(long lockAddress, Wish newWish, long lastSeen, long resultOffset) {
        address = lockAddress;
        wish = newWish;
        seen = lastSeen;
        result = resultOffset;
        expected = 0;
        held = 0;
    }

    /** Where the lock's word lies. */
    public long address() {
        return address;
    }

    /** The node that has the lock. */
    public int node() {
        return RemoteAddress.node(address);
    }

    /** Whether the attempt has begun to take a lock and does not hold it. */
    public boolean isOpen() {
        return address != RemoteAddress.NONE && held == 0;
    }

    /** How the attempt wants to hold it. */
    public Wish wish() {
        return wish;
    }

    /** Where the results of its atomics land in the buffers. */
    public long result() {
        return result;
    }

    /** The word as it was seen last: read, or found by a try. */
    public long seen() {
        return seen;
    }

    /** Notes the word that was seen. */
    public void seen(long word) {
        seen = word;
    }

    /** The word that the acquisition keeps from {@link LockAcquisition#append} to {@link LockAcquisition#takeIn}. */
    public long expected() {
        return expected;
    }

    /** Notes the word that the acquisition expects. */
    public void expected(long word) {
        expected = word;
    }

    /** The word that the attempt holds, once the lock is taken. */
    public long held() {
        return held;
    }

    /** Notes the word that the attempt holds. */
    public void held(long word) {
        held = word;
    }

    /** Counts a try that failed though the lock was free, and returns how many there were in the attempt. */
    public int countRetry() {
        return ++retries;
    }
}
