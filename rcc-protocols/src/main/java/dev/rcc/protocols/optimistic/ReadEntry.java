package dev.rcc.protocols.optimistic;

import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.txn.Access;
import dev.rcc.protocols.common.BucketCopies;

/**
 * The read of an attempt for one access: a tuple or, if the key has none, its leaf. It keeps the values that validation
 * needs on the heap, so that validating is possible when the buffers are full. Reused from attempt to attempt.
 */
public final class ReadEntry {
    /** The step of a fetch; see {@link Fetching}. */
    enum Step {
        /** READ the tuple that the index or the cache named. */
        READ_TUPLE,
        /** READ the leaf's version and depth, and the key's home bucket. */
        READ_HOME,
        /** READ all buckets that the key may be in. */
        READ_ALL,
        /** READ the leaf's lock word, then its version and depth once more. */
        READ_LEAF,
        /** Fetched. */
        DONE
    }

    Access access;
    boolean leaf;
    long address;
    long version;
    long lockWord;

    Step step;
    /** How often it was read in vain, because a transaction was writing. */
    int retries;
    /** The lock that is wanted for it where records are locked when they are accessed, or null. */
    WriteEntry write;

    // The rest is for one-sided fetching.

    /** Whether the round that is under way has work requests of this entry. */
    boolean posted;
    /** Where its results land in the buffers. */
    long scratch;
    /** Whether the address came from the cache, and the index has not been read. */
    boolean fromCache;
    /** The buckets that have been read. */
    final BucketCopies buckets = new BucketCopies();

    void reset(Access newAccess) {
        access = newAccess;
        leaf = false;
        address = RemoteAddress.NONE;
        version = 0;
        lockWord = LockRules.NO_WORD;
        step = Step.READ_HOME;
        retries = 0;
        write = null;
        fromCache = false;
        buckets.reset();
    }

    /** The tuple or leaf that was fetched is not used: the next fetch fetches it again. */
    public void fetchAgain() {
        WriteEntry wanted = write;
        reset(access);
        write = wanted;
    }

    /** It is fetched in another way: the next fetch leaves it out, unless it is to be fetched again. */
    public void leaveOut() {
        step = Step.DONE;
    }

    /** Whether the tuple was locked when it was accessed, and stays as it was read as long as the attempt lasts. */
    public boolean isKept() {
        return !leaf && write != null && write.isHeld() && !write.outdated;
    }

    /** The fetch has ended: the access's image holds the record, and {@code newLockWord} was the tuple's lock word. */
    public void foundTuple(long newVersion, long newLockWord) {
        leaf = false;
        address = access.tupleAddress();
        version = newVersion;
        lockWord = newLockWord;
        step = Step.DONE;
        access.foundTuple();
    }

    /** The fetch has ended: the key has no tuple, according to its leaf. */
    public void foundNothing(long leafAddress, long leafVersion, long leafLockWord) {
        leaf = true;
        address = leafAddress;
        version = leafVersion;
        lockWord = leafLockWord;
        step = Step.DONE;
        access.tupleAddress(RemoteAddress.NONE);
        access.leafVersion(leafVersion);
        access.foundNothing();
    }

    /** The access. If it has a tuple, the metadata that was read lies at the start of its image. */
    public Access access() {
        return access;
    }

    /** Whether the fetch has ended well. */
    public boolean isFetched() {
        return step == Step.DONE;
    }

    /** Whether a leaf was read, since the key has no tuple. */
    public boolean isLeaf() {
        return leaf;
    }

    /** The address of the tuple or leaf that was read, where its metadata starts. */
    public long address() {
        return address;
    }

    /** The address of the version of the tuple or leaf that was read. */
    public long versionAddress() {
        return address
                + (leaf
                        ? access.table().layout().leafVersionOffset()
                        : access.layout().versionOffset());
    }

    /** The version of the tuple or leaf that was read. */
    public long version() {
        return version;
    }

    /** The lock word of the tuple or leaf that was read, as it was once that had been read. */
    public long lockWord() {
        return lockWord;
    }
}
