package dev.rcc.transport.verbs.disni;

import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.RdmaCmId;
import dev.rcc.transport.verbs.ibv.Raw;
import dev.rcc.transport.verbs.rdmacm.CmEventType;
import dev.rcc.transport.verbs.rdmacm.CmIdLayout;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;

/** One end of a connection, or a listener. */
final class CmId extends RdmaCmId {
    /** The least time-out of connecting, which takes longer than resolving an address. */
    private static final int CONNECT_MILLIS_MIN = 5_000;

    private final Cm cm;
    private final EventChannel channel;
    private final long address;
    private final Guard guard = new Guard("connection manager's id");
    private boolean isBoundToWildcard;
    private int timeoutMillis;
    private boolean isConnected;
    private CmEventType failure;
    private int failureStatus;

    CmId(Cm cm, EventChannel channel, long address) throws IOException {
        super(channel, null);
        this.cm = cm;
        this.channel = channel;
        this.address = address;
        this.ps = Raw.getInt(address, CmIdLayout.PS);
        channel.add(this);
    }

    long address() {
        return address;
    }

    EventChannel channel() {
        return channel;
    }

    Guard guard() {
        return guard;
    }

    /** The queue pair, if one was created and not destroyed. */
    Qp openQp() {
        return getQp() instanceof Qp qp && qp.isOpen() ? qp : null;
    }

    void take(Qp qp) {
        setQp(qp);
    }

    void bindsToWildcard() {
        isBoundToWildcard = true;
    }

    void setTimeoutMillis(int millis) {
        timeoutMillis = Math.max(timeoutMillis, millis);
    }

    /**
     * {@inheritDoc} Also available after the id is closed, as DiSNI asks for it then.
     *
     * @throws IOException when no address was bound or resolved, or it was the wildcard, which belongs to no device
     */
    @Override
    public synchronized IbvContext getVerbs() throws IOException {
        if (verbs == null && guard.isOpen()) {
            lookUpDevice();
        }
        if (verbs == null) {
            throw new IOException(
                    isBoundToWildcard
                            ? "0.0.0.0 belongs to no RDMA device: bind to the address of the interface that has one"
                            : "no RDMA device is known yet, as no address was bound or resolved");
        }
        return verbs;
    }

    /** Stores the device and port, if the connection manager has found them. */
    synchronized void lookUpDevice() throws IOException {
        guard.enter();
        try {
            long context = Raw.getLong(address, CmIdLayout.VERBS);
            if (context != 0) {
                setVerbs(cm.context(context));
                setPort_num((byte) Raw.getByte(address, CmIdLayout.PORT_NUM));
            }
        } finally {
            guard.exit();
        }
    }

    // Connecting.

    /** An event came for this id. */
    synchronized void happens(CmEventType type, int status) {
        if (type == CmEventType.ESTABLISHED) {
            isConnected = true;
            notifyAll();
        } else if (type.isFailure() || type == CmEventType.DISCONNECTED) {
            failure = type;
            failureStatus = status;
            notifyAll();
        }
    }

    /** The id is being destroyed. */
    synchronized void ends() {
        notifyAll();
    }

    /** The reason why there is no connection, in words; empty if no failure has occurred. */
    synchronized String failure() {
        return failure == null ? "" : failure.text() + (failureStatus == 0 ? "" : " (status " + failureStatus + ")");
    }

    /**
     * Waits until the connection is established.
     *
     * @throws IOException when it fails or is not established in time, the id is closed, or the thread is interrupted
     */
    synchronized void awaitConnected(String whereTo) throws IOException {
        int millis = Math.max(timeoutMillis, CONNECT_MILLIS_MIN);
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (!isConnected && failure == null) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (!guard.isOpen() || left <= 0) {
                throw new IOException("no connection to " + whereTo
                        + (guard.isOpen() ? " after " + millis + " ms" : ": the id was closed meanwhile"));
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw (IOException)
                        new InterruptedIOException("interrupted while connecting to " + whereTo).initCause(e);
            }
        }
        if (failure != null) {
            throw new IOException("no connection to " + whereTo + ": " + failure());
        }
    }
}
