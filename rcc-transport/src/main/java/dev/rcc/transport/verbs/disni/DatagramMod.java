package dev.rcc.transport.verbs.disni;

/** What can be changed of a datagram between two executions of its call. See {@link DisniExtensions#datagram}. */
public interface DatagramMod {
    /** Sets where it goes. */
    void setDestination(DisniAddressHandle handle, int remoteQueuePair, int remoteQkey);

    /** Sets the immediate data that goes with it, if its opcode has some. */
    void setImmediate(int data);
}
