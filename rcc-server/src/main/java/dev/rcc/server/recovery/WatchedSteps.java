package dev.rcc.server.recovery;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.replication.LogReport;
import java.util.BitSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A node's part in a {@link Reconfiguration}, with a watch that observes the begin and end of each step. */
final class WatchedSteps implements RecoverySteps {
    private final int node;
    private final RecoverySteps steps;
    private final RecoveryWatch watch;

    WatchedSteps(int node, RecoverySteps steps, RecoveryWatch watch) {
        this.node = node;
        this.steps = steps;
        this.watch = watch;
    }

    private <T> CompletableFuture<T> watched(RecoveryStep step, Supplier<CompletableFuture<T>> taken) {
        watch.began(step);
        return taken.get().thenApply(result -> {
            watch.ended(step);
            return result;
        });
    }

    @Override
    public CompletableFuture<Void> freeze(BitSet absent, Placement before) {
        return watched(RecoveryStep.FREEZE, () -> steps.freeze(absent, before));
    }

    @Override
    public CompletableFuture<Void> settle(BitSet absent) {
        return watched(RecoveryStep.SETTLE, () -> steps.settle(absent));
    }

    @Override
    public CompletableFuture<LogReport> report(BitSet lost) {
        return watched(
                RecoveryStep.REPORT,
                () -> steps.report(lost).thenApply(report -> {
                    watch.reported(node, report);
                    return report;
                }));
    }

    @Override
    public CompletableFuture<Long> replay(Set<Long> committed) {
        return watched(RecoveryStep.REPLAY, () -> steps.replay(committed));
    }

    @Override
    public CompletableFuture<Void> welcome(int joiner, long incarnation) {
        return watched(RecoveryStep.WELCOME, () -> steps.welcome(joiner, incarnation));
    }

    @Override
    public CompletableFuture<Void> copy(Placement before, Placement after, long bound) {
        return watched(RecoveryStep.COPY, () -> steps.copy(before, after, bound));
    }

    @Override
    public CompletableFuture<Void> install(Placement before, Placement after, long bound, BitSet lost) {
        return watched(RecoveryStep.INSTALL, () -> steps.install(before, after, bound, lost));
    }

    @Override
    public CompletableFuture<Void> save(long configEpoch, Placement after, long bound) {
        return watched(RecoveryStep.SAVE, () -> steps.save(configEpoch, after, bound));
    }
}
