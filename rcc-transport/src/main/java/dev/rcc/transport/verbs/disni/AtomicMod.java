package dev.rcc.transport.verbs.disni;

/**
 * Changes an atomic work request between two executions of its call; DiSNI itself can change READs and WRITEs
 * only. See {@link DisniExtensions#atomic}.
 */
public interface AtomicMod {
    /**
     * Sets the address of the word.
     *
     * @throws IllegalArgumentException when it is not a multiple of 8
     */
    void setRemoteAddress(long address);

    /** Sets the word that a CAS expects, or the number that a FETCH_ADD adds. */
    void setCompareAdd(long value);

    /** Sets the word that a CAS writes. */
    void setSwap(long value);

    /** Sets the key of the region that the word is in. */
    void setRemoteKey(int rkey);
}
