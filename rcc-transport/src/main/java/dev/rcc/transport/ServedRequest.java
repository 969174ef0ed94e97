package dev.rcc.transport;

import dev.rcc.core.fabric.RpcRequest;

/** A request that a handler serves, with the checks of a reply that all networks make alike. */
public interface ServedRequest extends RpcRequest {
    /** Which handler serves it. */
    int rpcId();

    /** Whether it is being served: there is no reply yet. */
    boolean isServing();

    /** Sends a reply of so many bytes, at most {@link #responseCapacity}, which ends the serving. */
    void sendReply(int bytes);

    /** Tells the caller that there is no reply, unless one is on its way. */
    void fail();

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException when there is no room for so long a reply; the call has failed then
     * @throws IllegalStateException when it was replied to already; once the object serves another call, this cannot be told
     *     any more
     */
    @Override
    default void reply(int bytes) {
        if (!isServing()) {
            throw new IllegalStateException("rpc " + rpcId() + " of node " + caller() + " has been replied to already");
        }
        if (bytes < 0 || bytes > responseCapacity()) {
            int room = responseCapacity();
            String call = "rpc " + rpcId() + " of node " + caller();
            fail();
            throw new IllegalArgumentException(
                    "the reply to " + call + " must be 0 to " + room + " bytes long, got " + bytes);
        }
        sendReply(bytes);
    }
}
