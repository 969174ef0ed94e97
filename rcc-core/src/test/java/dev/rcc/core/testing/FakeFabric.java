package dev.rcc.core.testing;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.fabric.FabricCounter;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.Region;
import dev.rcc.core.worker.Worker;
import java.lang.foreign.Arena;
import java.util.Map;

/** Memory without a network. */
public final class FakeFabric implements Fabric {
    private final int node;

    public FakeFabric(int node) {
        this.node = node;
    }

    @Override
    public String name() {
        return "fake";
    }

    @Override
    public int node() {
        return node;
    }

    @Override
    public long incarnation() {
        return 1;
    }

    @Override
    public Map<FabricCounter, Long> counters() {
        return Map.of();
    }

    @Override
    public Atomicity atomicity() {
        return Atomicity.GLOBAL;
    }

    @Override
    public Region register(int regionId, long bytes) {
        return new Region(node, regionId, Memory.allocate(Arena.ofAuto(), bytes));
    }

    @Override
    public Endpoint open(Worker worker, Region buffers) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void start() {}

    @Override
    public boolean isReachable(int peer) {
        return true;
    }

    @Override
    public void close() {}
}
