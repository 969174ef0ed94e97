package dev.rcc.core.fabric;

/** Against what a remote CAS or FETCH_ADD is atomic. */
public enum Atomicity {
    /** A remote atomic and the owner's CPU atomics exclude each other. */
    GLOBAL,
    /**
     * Only the device's own atomics exclude each other ({@code IBV_ATOMIC_HCA}, what real NICs report). A word that is
     * ever the target of a remote atomic must then never be changed by its owner's CPU.
     */
    DEVICE,
    /**
     * Not even all remote atomics exclude each other: a node is reached through a device by some peers, and in another way by others. No word
     * may then be the target of a remote atomic.
     */
    NONE
}
