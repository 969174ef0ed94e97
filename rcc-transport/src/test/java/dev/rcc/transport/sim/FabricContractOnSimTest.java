package dev.rcc.transport.sim;

import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.worker.Worker;
import dev.rcc.transport.FabricCluster;
import dev.rcc.transport.FabricContract;
import java.util.concurrent.CompletableFuture;

/** The promises in virtual time, with faults. */
class FabricContractOnSimTest extends FabricContract {
    private static final long SEED = Long.getLong("rcc.seed", 42);

    @Override
    protected FabricCluster.Network network(int nodes) {
        return on(new SimNetwork(nodes, options(), SEED));
    }

    SimOptions options() {
        return SimOptions.of("connectx4-edr").withFaults(FaultPlan.ROUGH);
    }

    static FabricCluster.Network on(SimNetwork network) {
        return new FabricCluster.Network() {
            @Override
            public Fabric attach(int node) {
                return network.attach(node);
            }

            @Override
            public Worker newWorker(int node, int index) {
                return network.newWorker(node, index);
            }

            @Override
            public void start(Worker worker) {
                ((SimWorker) worker).start();
            }

            @Override
            public void close(Worker worker) {
                ((SimWorker) worker).close();
            }

            @Override
            public boolean await(CompletableFuture<?> result) {
                return network.simulation().run(Long.MAX_VALUE, result::isDone);
            }

            @Override
            public void stop(int node) {
                network.stop(node);
            }

            @Override
            public void close() {
                network.close();
            }
        };
    }
}
