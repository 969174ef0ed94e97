package dev.rcc.bench.workloads;

import dev.rcc.bench.workload.Workload;
import dev.rcc.bench.workload.WorkloadType;
import dev.rcc.bench.workload.churn.Churn;
import dev.rcc.bench.workload.listappend.ListAppend;
import dev.rcc.bench.workload.smallbank.SmallBank;
import dev.rcc.bench.workload.tpcc.Tpcc;
import dev.rcc.bench.workload.ycsb.Ycsb;
import dev.rcc.bench.workload.ycsb.YcsbE;
import java.util.List;
import java.util.Map;

/** All workloads by name. */
public final class Workloads {
    private static final List<WorkloadType> TYPES =
            List.of(SmallBank.TYPE, Ycsb.TYPE, Ycsb.SUNDIAL_TYPE, YcsbE.TYPE, Tpcc.TYPE, ListAppend.TYPE, Churn.TYPE);

    private Workloads() {}

    /** All kinds of workloads. */
    public static List<WorkloadType> types() {
        return TYPES;
    }

    /** The names of all kinds. */
    public static List<String> names() {
        return TYPES.stream().map(WorkloadType::name).toList();
    }

    /**
     * The kind with this name.
     *
     * @throws IllegalArgumentException when there is none; the message says what is allowed
     */
    public static WorkloadType byName(String name) {
        return TYPES.stream()
                .filter(type -> type.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "no workload '" + name + "', allowed: " + String.join(", ", names())));
    }

    /**
     * Makes a workload.
     *
     * @param options the options that are not to have their default
     * @throws IllegalArgumentException for an unknown name or key, or a bad value; the message says what is allowed
     */
    public static Workload create(String name, Map<String, String> options) {
        return byName(name).create(options);
    }
}
