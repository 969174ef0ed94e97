package dev.rcc.server.testing;

import dev.rcc.server.NodeHost;
import dev.rcc.server.NodeServer;
import java.util.Optional;
import java.util.function.Consumer;

/** Lets no client in from outside: a test spawns its clients on the node itself. */
public class InnerFront implements NodeHost.Front {
    private final Consumer<NodeServer> whenOpen;

    /** Calls {@code whenOpen} with a node that runs. */
    public InnerFront(Consumer<NodeServer> whenOpen) {
        this.whenOpen = whenOpen;
    }

    @Override
    public void prepare(NodeServer node) {}

    @Override
    public void open(NodeServer node) {
        whenOpen.accept(node);
    }

    @Override
    public Optional<String> address() {
        return Optional.empty();
    }

    @Override
    public void drain() {}

    @Override
    public void close() {}
}
