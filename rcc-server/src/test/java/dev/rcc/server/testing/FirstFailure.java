package dev.rcc.server.testing;

import dev.rcc.server.NodeHost;
import dev.rcc.server.NodeServer;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** Keeps the first failure of a node that serves. */
public final class FirstFailure implements NodeHost.Progress {
    private final AtomicReference<RuntimeException> failure;

    /** Keeps it there, where a test may put failures of its own. */
    public FirstFailure(AtomicReference<RuntimeException> failure) {
        this.failure = failure;
    }

    @Override
    public void waiting(NodeServer node, List<Integer> missing) {}

    @Override
    public void running(NodeServer node) {}

    @Override
    public void failed(NodeServer node, RuntimeException why) {
        failure.compareAndSet(null, why);
    }
}
