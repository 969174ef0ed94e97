package dev.rcc.transport;

import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.Memory;

/**
 * An RPC on the server's side: where its request lies, where its reply goes, and whether a handler still owes the reply. A network
 * extends it by how a reply travels. Pooled, so all of it is set anew for each call.
 *
 * <pre>
 *             {@link #begin}             {@link #reply} or {@link #fail}
 *   not serving ------&gt; serving -------------------&gt; not serving
 * </pre>
 *
 * <p>It belongs to one thread at a time: to that which sets it, until this hands it to the worker that serves it.
 */
public abstract class ServedCall implements RpcRequest {
    private int caller;
    private int rpcId;
    private Memory payload;
    private long payloadOffset;
    private int payloadBytes;
    private Memory response;
    private long responseOffset;
    private int responseCapacity;
    private boolean serving;

    /** A call that serves nothing yet. */
    protected ServedCall() {}

    /** Sends a reply of so many bytes, 0 to {@link #responseCapacity}. The call serves nothing any more, and may be reused. */
    protected abstract void sendReply(int bytes);

    /** Tells the caller that there is no reply. The call serves nothing any more, and may be reused. */
    protected abstract void sendFailure();

    /**
     * Says who calls what, and where the request lies.
     *
     * @param node the node that calls
     * @param handler the RPC id
     * @param memory holds the request
     * @param offset where the request starts in {@code memory}
     * @param bytes the request's length
     */
    protected final void setRequest(int node, int handler, Memory memory, long offset, int bytes) {
        caller = node;
        rpcId = handler;
        payload = memory;
        payloadOffset = offset;
        payloadBytes = bytes;
    }

    /** Says where the reply goes: to {@code offset} in {@code memory}, where {@code capacity} bytes have room. */
    protected final void setResponse(Memory memory, long offset, int capacity) {
        response = memory;
        responseOffset = offset;
        responseCapacity = capacity;
    }

    /** The call is handed to a handler, which owes a reply from now on. */
    protected final void begin() {
        assert !serving : "rpc " + rpcId + " of node " + caller + " is being served";
        serving = true;
    }

    /** Lets go of the memory of request and reply. */
    protected final void forgetMemory() {
        payload = null;
        response = null;
    }

    /** Whether a handler owes the reply. */
    protected final boolean isServing() {
        return serving;
    }

    /** Which handler serves it. */
    public final int rpcId() {
        return rpcId;
    }

    /** Tells the caller that there is no reply, unless it was replied to. */
    public final void fail() {
        if (serving) {
            serving = false;
            sendFailure();
        }
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException when there is no room for so long a reply; the call has failed then
     * @throws IllegalStateException when it was replied to already; once the object serves another call, this cannot be detected
     *     any more
     */
    @Override
    public final void reply(int bytes) {
        if (!serving) {
            throw new IllegalStateException("rpc " + rpcId + " of node " + caller + " has been replied to already");
        }
        if (bytes < 0 || bytes > responseCapacity) {
            int room = responseCapacity;
            String call = "rpc " + rpcId + " of node " + caller;
            fail();
            throw new IllegalArgumentException(
                    "the reply to " + call + " must be 0 to " + room + " bytes long, got " + bytes);
        }
        serving = false;
        sendReply(bytes);
    }

    @Override
    public final int caller() {
        return caller;
    }

    @Override
    public final Memory payload() {
        return payload;
    }

    @Override
    public final long payloadOffset() {
        return payloadOffset;
    }

    @Override
    public final int payloadBytes() {
        return payloadBytes;
    }

    @Override
    public final Memory response() {
        return response;
    }

    @Override
    public final long responseOffset() {
        return responseOffset;
    }

    @Override
    public final int responseCapacity() {
        return responseCapacity;
    }
}
