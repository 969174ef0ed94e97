package dev.rcc.bench.verify.fragments;

import dev.rcc.bench.workload.Account;
import dev.rcc.bench.workload.Generator;
import dev.rcc.bench.workload.Workload;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.FragmentType;
import dev.rcc.server.ClusterInspection;
import dev.rcc.server.node.Loader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Another workload: any node can run most of its transactions; only the coordinators can run the others.
 *
 * @param base the other workload, which has fragments
 */
public record FragmentMix(Workload base) implements Workload {
    /** The workload's name. */
    public static final String NAME = "fragments";

    private static final long STREAM = 0xBF58476D1CE4E5B9L;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Map<String, String> options() {
        Map<String, String> options = new LinkedHashMap<>(base.options());
        options.put("of", base.name());
        return options;
    }

    @Override
    public String promise() {
        return base.promise();
    }

    @Override
    public List<TableSchema> tables(int nodes) {
        return base.tables(nodes);
    }

    @Override
    public int maxAccesses() {
        return base.maxAccesses();
    }

    @Override
    public void load(Loader loader) {
        base.load(loader);
    }

    @Override
    public List<FragmentType> fragments() {
        return base.fragments();
    }

    @Override
    public List<Generator> generators(Catalog catalog, int count, SplittableRandom random) {
        SplittableRandom hiding = new SplittableRandom(random.nextLong() ^ STREAM);
        List<Generator> generators = new ArrayList<>();
        for (Generator each : base.generators(catalog, count, random)) {
            generators.add(new MixedGenerator(each, hiding.split()));
        }
        return generators;
    }

    @Override
    public List<String> check(Catalog catalog, ClusterInspection inspection, List<? extends Account> clients) {
        return base.check(catalog, inspection, clients);
    }
}
