package dev.rcc.transport;

import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.Memory;

/**
 * An RPC on the server's side: where its request lies, where its reply goes, and whether a handler still owes the reply. A network's
 * subclass sends the reply. Pooled, so all fields are set anew for each call.
 *
 * <pre>
 *             {@link #begin}             {@link #reply} or {@link #fail}
 *   not serving ------&gt; serving -------------------&gt; not serving
 * </pre>
 *
 * <p>It belongs to one thread at a time: to the thread that sets it, until that thread hands it to the worker that serves it.
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

    /** A call that is not serving yet. */
    protected ServedCall() {}

    /** Sends a reply of {@code bytes} bytes, 0 to {@link #responseCapacity}. The call is no longer serving, and may be reused. */
    protected abstract void sendReply(int bytes);

    /** Reports to the caller that there is no reply. The call is no longer serving, and may be reused. */
    protected abstract void sendFailure();

    /**
     * Sets the calling node, the RPC id, and where the request lies.
     *
     * @param node the calling node
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

    /** Sets where the reply goes: to {@code offset} in {@code memory}, with room for {@code capacity} bytes. */
    protected final void setResponse(Memory memory, long offset, int capacity) {
        response = memory;
        responseOffset = offset;
        responseCapacity = capacity;
    }

    /** Begins to serve the call: its handler owes a reply from now on. */
    protected final void begin() {
        assert !serving : "rpc " + rpcId + " of node " + caller + " is being served";
        serving = true;
    }

    /** Releases the memory of request and reply. */
    protected final void forgetMemory() {
        payload = null;
        response = null;
    }

    /** Whether a handler owes the reply. */
    protected final boolean isServing() {
        return serving;
    }

    /** The id of the handler that serves the call. */
    public final int rpcId() {
        return rpcId;
    }

    /** Reports to the caller that there is no reply, unless a handler has replied. */
    public final void fail() {
        if (serving) {
            serving = false;
            sendFailure();
        }
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException when there is no room for such a long reply; the call has failed then
     * @throws IllegalStateException when the call was replied to already; once the object serves another call, this can no longer be
     *     detected
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
