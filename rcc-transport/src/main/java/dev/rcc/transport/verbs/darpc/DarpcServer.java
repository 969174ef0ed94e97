package dev.rcc.transport.verbs.darpc;

import com.ibm.darpc.DaRPCServerEndpoint;
import com.ibm.darpc.DaRPCServerEvent;
import com.ibm.darpc.DaRPCServerGroup;
import com.ibm.darpc.DaRPCService;
import com.ibm.disni.RdmaCqProcessor;
import com.ibm.disni.RdmaServerEndpoint;
import dev.rcc.transport.verbs.disni.DisniExtensions;
import dev.rcc.transport.verbs.ibv.WcStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The server side of a node: accepts connections, and hands requests to workers. */
final class DarpcServer implements DaRPCService<DarpcMessage, DarpcMessage> {
    private static final Logger LOG = LoggerFactory.getLogger(DarpcServer.class);

    private static final int BACKLOG = 128;
    private static final byte MOST_RETRIES = 7;

    private final int node;
    private final DarpcChannel[] channels;
    private final DarpcOptions options;
    private final Executor closer;
    private final DaRPCServerGroup<DarpcMessage, DarpcMessage> group;
    private final RdmaServerEndpoint<DaRPCServerEndpoint<DarpcMessage, DarpcMessage>> listener;
    private final Thread acceptor;
    /** The open connections by the numbers of their queue pairs. */
    private final Map<Integer, DaRPCServerEndpoint<DarpcMessage, DarpcMessage>> open = new ConcurrentHashMap<>();

    private volatile boolean closed;

    /**
     * Starts to listen.
     *
     * @param ip address of the device's port
     * @param connections the most connections of each of DaRPC's threads, of which there are as many as channels
     * @param inlineBytes the longest message that travels inline
     * @param closer the executor that closes connections
     */
    DarpcServer(
            int node,
            InetSocketAddress ip,
            DarpcChannel[] channels,
            DarpcOptions options,
            int connections,
            int inlineBytes,
            Executor closer)
            throws Exception {
        this.node = node;
        this.channels = channels;
        this.options = options;
        this.closer = closer;
        // Affinities of 0: the threads run where the scheduler puts them.
        group = DaRPCServerGroup.createServerGroup(
                this,
                new long[channels.length],
                DarpcRpc.LOOK_MILLIS,
                inlineBytes,
                false,
                options.pipeline(),
                options.pipeline(),
                options.pipeline(),
                connections);
        group.getConnParam().setRetry_count(MOST_RETRIES);
        group.getConnParam().setRnr_retry_count(MOST_RETRIES);
        listener = group.createServerEndpoint();
        listener.bind(ip, BACKLOG);
        acceptor = new Thread(this::accept, "rcc-node" + node + "-darpc-accept");
        acceptor.setDaemon(true);
        acceptor.start();
    }

    /** The address that peers connect to. */
    InetSocketAddress address() throws Exception {
        return (InetSocketAddress) listener.getSrcAddr();
    }

    private void accept() {
        while (!closed) {
            try {
                listener.accept();
            } catch (IOException e) {
                if (!closed) {
                    LOG.debug("a connection was not accepted", e);
                }
            }
        }
    }

    // DaRPC's threads.

    @Override
    public DarpcMessage createRequest() {
        return new DarpcRequest(options.messageBytesMax());
    }

    @Override
    public DarpcMessage createResponse() {
        return new DarpcRequest.Response(options.messageBytesMax());
    }

    @Override
    public void processServerEvent(DaRPCServerEvent<DarpcMessage, DarpcMessage> event) {
        DarpcRequest request = (DarpcRequest) event.getReceiveMessage();
        channels[request.begin(event) % channels.length].deliver(request);
    }

    /** Connections share a completion queue, so none of them may disturb the others by its failure. */
    @Override
    public void open(DaRPCServerEndpoint<DarpcMessage, DarpcMessage> endpoint) {
        try {
            open.put(endpoint.getQp().getQp_num(), endpoint);
            DisniExtensions.onFailure(endpoint.getCqProvider().getCQ(), this::failed);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // not of the provider's own objects
        }
    }

    /** A connection has failed: ends it. The caller's outstanding calls fail, and the connection manager reports the end, upon which DaRPC closes it. */
    private void failed(int queuePair, WcStatus status) {
        DaRPCServerEndpoint<DarpcMessage, DarpcMessage> endpoint = open.remove(queuePair);
        if (endpoint != null) {
            LOG.warn("event=call_connection_ended node={}: {}", node, status);
            disconnect(endpoint);
        }
    }

    /** Closes a connection whose client is gone, or waits for this side to acknowledge its disconnect. */
    @Override
    public void close(DaRPCServerEndpoint<DarpcMessage, DarpcMessage> endpoint) {
        disconnect(endpoint);
        closer.execute(() -> closeEndpoint(endpoint));
    }

    private static void disconnect(DaRPCServerEndpoint<DarpcMessage, DarpcMessage> endpoint) {
        try {
            endpoint.getIdPriv().disconnect();
        } catch (IOException e) {
            LOG.debug("no peer to say goodbye to: {}", e.getMessage());
        }
    }

    private void closeEndpoint(DaRPCServerEndpoint<DarpcMessage, DarpcMessage> endpoint) {
        try {
            if (endpoint.getQp() != null) {
                open.remove(endpoint.getQp().getQp_num(), endpoint);
            }
            if (endpoint.getQp() != null && endpoint.getCqProvider() instanceof RdmaCqProcessor<?> processor) {
                processor.unregister(endpoint);
            }
            endpoint.close();
        } catch (IOException | RuntimeException e) {
            LOG.debug("closing a connection", e); // DaRPC's endpoints may throw if they were never connected
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Closes the server; no other thread may be closing connections any more. */
    void close() {
        closed = true;
        acceptor.interrupt();
        try {
            acceptor.join();
            group.close();
        } catch (IOException | RuntimeException e) {
            LOG.warn("event=close_failed: DaRPC's server", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
