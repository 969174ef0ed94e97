package dev.rcc.transport.verbs.disni;

import com.ibm.darpc.DaRPCServerEndpoint;
import com.ibm.darpc.DaRPCServerEvent;
import com.ibm.darpc.DaRPCServerGroup;
import com.ibm.darpc.DaRPCService;
import com.ibm.disni.RdmaServerEndpoint;
import java.io.IOException;
import java.net.InetSocketAddress;

/** A DaRPC server that adds, in this process or, started by its main method, in its own. */
final class SumServer extends SumMessage.Protocol implements DaRPCService<SumMessage, SumMessage> {
    static final int PIPELINE = 16;
    static final int TIMEOUT_MILLIS = 1000;

    private final DaRPCServerGroup<SumMessage, SumMessage> group;
    private final RdmaServerEndpoint<DaRPCServerEndpoint<SumMessage, SumMessage>> listener;

    SumServer() throws Exception {
        DisniProvider.install();
        group = DaRPCServerGroup.createServerGroup(
                this, new long[] {1}, TIMEOUT_MILLIS, 0, false, PIPELINE, PIPELINE, PIPELINE, 4);
        listener = group.createServerEndpoint();
        listener.bind(Device.address(0), 10);
        Thread.ofPlatform().daemon().start(() -> {
            try {
                while (true) {
                    listener.accept();
                }
            } catch (IOException e) {
                // closed
            }
        });
    }

    int port() throws Exception {
        return ((InetSocketAddress) listener.getSrcAddr()).getPort();
    }

    @Override
    public void processServerEvent(DaRPCServerEvent<SumMessage, SumMessage> event) throws IOException {
        SumMessage request = event.getReceiveMessage();
        event.getSendMessage().first = request.first + request.second;
        event.getSendMessage().second = ProcessHandle.current().pid();
        event.triggerResponse();
    }

    @Override
    public void open(DaRPCServerEndpoint<SumMessage, SumMessage> endpoint) {}

    @Override
    public void close(DaRPCServerEndpoint<SumMessage, SumMessage> endpoint) {}

    void stop() throws Exception {
        group.close();
    }

    /** Prints its port, then serves until its input ends. */
    public static void main(String[] args) throws Exception {
        SumServer server = new SumServer();
        System.out.println("port " + server.port());
        System.in.read();
        server.stop();
        System.exit(0); // DaRPC's accepting thread still waits
    }
}
