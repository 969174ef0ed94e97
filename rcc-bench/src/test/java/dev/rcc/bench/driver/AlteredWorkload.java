package dev.rcc.bench.driver;

import dev.rcc.bench.workload.Account;
import dev.rcc.bench.workload.Generator;
import dev.rcc.bench.workload.Workload;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.TableSchema;
import dev.rcc.server.ClusterInspection;
import dev.rcc.server.node.Loader;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Another workload of nodes, whose data is not checked. A subclass alters a part of it. */
abstract class AlteredWorkload implements Workload {
    private final Workload workload;

    AlteredWorkload(Workload workload) {
        this.workload = workload;
    }

    @Override
    public String name() {
        return workload.name();
    }

    @Override
    public Map<String, String> options() {
        return workload.options();
    }

    @Override
    public String promise() {
        return workload.promise();
    }

    @Override
    public List<TableSchema> tables(int nodes) {
        return workload.tables(nodes);
    }

    @Override
    public int maxAccesses() {
        return workload.maxAccesses();
    }

    @Override
    public void load(Loader loader) {
        workload.load(loader);
    }

    @Override
    public List<Generator> generators(Catalog catalog, int count, SplittableRandom random) {
        return workload.generators(catalog, count, random);
    }

    @Override
    public List<String> check(Catalog catalog, ClusterInspection inspection, List<? extends Account> clients) {
        return List.of();
    }
}
