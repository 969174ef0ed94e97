package dev.rcc.server.gateway;

import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.procedure.Procedures;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A gateway for each node of an embedded cluster. The cluster has been started and leaves all its coroutines to the gateways. For
 * tests, examples and applications that embed the cluster. Closed before the cluster.
 */
public final class EmbeddedGateways implements AutoCloseable {
    private final List<Gateway> gateways = new ArrayList<>();
    private final List<String> addresses = new CopyOnWriteArrayList<>();

    /** Opens the gateways, each at a free port if the options leave that open. */
    public EmbeddedGateways(EmbeddedCluster cluster, GatewayOptions options) {
        this(cluster, options, Procedures.NONE);
    }

    /** Opens the gateways, with stored procedures. */
    public EmbeddedGateways(EmbeddedCluster cluster, GatewayOptions options, Procedures procedures) {
        try {
            for (int node = 0; node < cluster.config().nodes(); node++) {
                Gateway gateway = new Gateway(GatewayNode.of(cluster, node), options, procedures, () -> addresses);
                gateways.add(gateway);
                addresses.add(gateway.address());
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** The addresses of the gateways, as a client takes them: {@code host:port,host:port}. */
    public String addresses() {
        return String.join(",", addresses);
    }

    /** The gateway of a node. */
    public Gateway gateway(int node) {
        return gateways.get(node);
    }

    /** Admits only these users from now on, as {@link Gateway#users} does. */
    public void users(Users users) {
        gateways.forEach(gateway -> gateway.users(users));
    }

    @Override
    public void close() {
        gateways.forEach(Gateway::close);
    }
}
