package dev.rcc.server;

import dev.rcc.core.fabric.Fabric;
import dev.rcc.transport.control.Control;
import dev.rcc.transport.network.FabricProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Real threads on a network that nodes of several processes share: each node has a control and a fabric of its own, as it
 * would have in a process of its own.
 */
final class NetworkRuntime extends ThreadRuntime {
    /** Nodes of one JVM are all present; a network that needs longer to connect them does not work. */
    private static final Duration CONNECT_TIMEOUT = Duration.ofMinutes(2);

    private final FabricProvider network;
    private final Map<Integer, Control> controls = new TreeMap<>();
    private final Map<Integer, Fabric> fabrics = new TreeMap<>();

    /**
     * A runtime for some nodes.
     *
     * @param controls the controls of the nodes that will be attached here; not started yet, and closed by this runtime
     */
    NetworkRuntime(FabricProvider network, List<? extends Control> controls) {
        this.network = network;
        controls.forEach(control -> this.controls.put(control.node(), control));
    }

    @Override
    public Fabric attach(int node) {
        Fabric fabric = network.attach(controls.get(node));
        fabrics.put(node, fabric);
        return fabric;
    }

    @Override
    public Control control(int node) {
        return controls.get(node);
    }

    /** Starts the controls of all nodes, which then look for each other. */
    void startControls() {
        controls.values().forEach(Control::start);
    }

    /** The peers that a node has not connected to yet. */
    List<Integer> missing(int node) {
        List<Integer> missing = new ArrayList<>();
        for (int peer = 0; peer < controls.get(node).nodes(); peer++) {
            if (!fabrics.get(node).isReachable(peer)) {
                missing.add(peer);
            }
        }
        return missing;
    }

    @Override
    public void connect() {
        startControls();
        if (!await(
                CONNECT_TIMEOUT,
                () -> fabrics.keySet().stream().allMatch(node -> missing(node).isEmpty()))) {
            throw new IllegalStateException("the nodes do not connect on " + network.name() + ": "
                    + fabrics.keySet().stream()
                            .filter(node -> !missing(node).isEmpty())
                            .map(node -> "node " + node + " misses " + missing(node))
                            .collect(Collectors.joining(", ")));
        }
    }

    @Override
    public void leave(int node) {
        fabrics.remove(node);
        controls.get(node).close();
    }

    @Override
    public void close() {
        fabrics.values().forEach(Fabric::close);
        fabrics.clear();
        controls.values().forEach(Control::close);
    }
}
