package dev.rcc.bench.verify.clients;

import dev.rcc.core.worker.Worker;
import dev.rcc.server.SimulatedCluster;
import dev.rcc.server.gateway.GatewayCore;
import dev.rcc.server.gateway.GatewayNode;
import dev.rcc.server.gateway.GatewayOptions;

/**
 * The gateway of one incarnation of a node.
 *
 * @param core the gateway without sockets
 * @param worker the worker that completes connections, as long as the node lives
 * @param incarnation the gateway's number among all gateways
 */
record SimulatedGateway(GatewayCore core, Worker worker, long incarnation) {
    static SimulatedGateway open(SimulatedCluster cluster, int node, GatewayOptions options, long incarnation) {
        GatewayCore core = new GatewayCore(GatewayNode.of(cluster, node), options, ClientProcedures.all(), incarnation);
        core.open(() -> {}, () -> {});
        return new SimulatedGateway(core, cluster.worker(node, 0), incarnation);
    }
}
