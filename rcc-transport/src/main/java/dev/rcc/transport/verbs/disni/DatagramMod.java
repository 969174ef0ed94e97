package dev.rcc.transport.verbs.disni;

/** Changes a datagram between two executions of its call. See {@link DisniExtensions#datagram}. */
public interface DatagramMod {
    /** Sets the destination. */
    void setDestination(DisniAddressHandle handle, int remoteQueuePair, int remoteQkey);

    /** Sets the immediate data, if the opcode has some. */
    void setImmediate(int data);
}
