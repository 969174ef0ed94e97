package dev.rcc.transport.verbs.disni;

/**
 * What can be changed of an atomic work request between two executions of its call; DiSNI has the like for READs and WRITEs
 * only. See {@link DisniExtensions#atomic}.
 */
public interface AtomicMod {
    /**
     * Sets the address of the word.
     *
     * @throws IllegalArgumentException when it is not a multiple of 8
     */
    void setRemoteAddress(long address);

    /** Sets what a CAS expects, or what a FETCH_ADD adds. */
    void setCompareAdd(long value);

    /** Sets what a CAS writes. */
    void setSwap(long value);

    /** Sets the key of the region that the word is in. */
    void setRemoteKey(int rkey);
}
