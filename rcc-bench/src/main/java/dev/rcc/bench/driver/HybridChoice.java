package dev.rcc.bench.driver;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.protocol.WordChange;
import java.util.Comparator;
import java.util.List;

/**
 * The choice of a hybrid code for a protocol: the codes that a network admits, and the code that the stage latencies of the
 * two uniform codes recommend (rcc, 5.1, "cherry-pick").
 */
public final class HybridChoice {
    private HybridChoice() {}

    /** The codes of {@code protocol} that a network of this atomicity admits, in the order of their digits. */
    public static List<HybridCode> admissible(Protocol protocol, Atomicity atomicity) {
        return HybridCode.all(protocol).stream()
                .filter(code -> WordChange.conflict(protocol, code, atomicity).isEmpty())
                .toList();
    }

    /**
     * The admissible code with the least expected time in stages: each stage counts with its mean time under the primitive,
     * multiplied by its passages per committed transaction. Among equals the one with more RPC.
     *
     * @param rpc the costs in a run with every stage by RPC
     * @param oneSided the costs in a run of the same workload with every stage one-sided
     */
    public static HybridCode cherryPick(StageCosts rpc, StageCosts oneSided) {
        Protocol protocol = rpc.protocol();
        return admissible(protocol, rpc.atomicity()).stream()
                .min(Comparator.comparingDouble(code -> expectedNanos(code, rpc, oneSided)))
                .orElseThrow(() -> new IllegalStateException("no code of " + protocol.name() + " is admissible"));
    }

    /**
     * The same choice from the results of the two runs.
     *
     * @throws IllegalStateException when nothing committed in one of them, so that there are no costs
     */
    public static HybridCode cherryPick(BenchResult rpc, BenchResult oneSided) {
        return cherryPick(costs(rpc), costs(oneSided));
    }

    private static StageCosts costs(BenchResult result) {
        if (result.committed() == 0) {
            throw new IllegalStateException("no code can be chosen: nothing committed with "
                    + result.config().code().describe() + " in the " + result.measuredSeconds()
                    + " s that were measured; measure for longer (--seconds)");
        }
        return StageCosts.of(result);
    }

    private static double expectedNanos(HybridCode code, StageCosts rpc, StageCosts oneSided) {
        double sum = 0;
        for (int stage = 0; stage < rpc.nanosPerTransaction().size(); stage++) {
            StageCosts costs = code.primitive(stage) == Primitive.RPC ? rpc : oneSided;
            sum += costs.nanosPerTransaction().get(stage);
        }
        return sum;
    }
}
