package dev.rcc.core.fabric;

/** The operations against which a remote CAS or FETCH_ADD is atomic. */
public enum Atomicity {
    /** A remote atomic and the owner's CPU atomics exclude each other. */
    GLOBAL,
    /**
     * Only the device's own atomics exclude each other ({@code IBV_ATOMIC_HCA}, which real NICs report). A word that is ever the target of a remote
     * atomic must then never be changed by its owner's CPU.
     */
    DEVICE,
    /**
     * Not even all remote atomics exclude each other: some peers reach a node through a device, other peers reach it in another way. No word may then
     * be the target of a remote atomic.
     */
    NONE
}
