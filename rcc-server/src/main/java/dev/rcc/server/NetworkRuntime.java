package dev.rcc.server;

import dev.rcc.core.fabric.Fabric;
import dev.rcc.transport.control.Control;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/**
 * Real threads on a network that nodes of several processes share: each node has a control and a fabric of its own, as it
 * would have in a process of its own.
 */
final class NetworkRuntime extends ThreadRuntime {
    /** Nodes of one JVM are all there; a network that needs longer does not work. */
    private static final Duration CONNECT_TIMEOUT = Duration.ofMinutes(2);

    private final NetworkChoice network;
    private final IntFunction<Control> controls;
    private final Map<Integer, Attached> attached = new TreeMap<>();

    /** A node's. */
    private record Attached(Control control, Fabric fabric) {}

    /**
     * For the nodes that will be attached here.
     *
     * @param controls makes the control of a node
     */
    NetworkRuntime(NetworkChoice network, IntFunction<Control> controls) {
        this.network = network;
        this.controls = controls;
    }

    @Override
    public Fabric attach(int node) {
        Control control = controls.apply(node);
        try {
            Fabric fabric = network.attach(control);
            attached.put(node, new Attached(control, fabric));
            return fabric;
        } catch (RuntimeException | Error e) {
            control.close();
            throw e;
        }
    }

    /** Lets the controls of all nodes look for each other. */
    void startControls() {
        attached.values().forEach(each -> each.control.start());
    }

    /** The peers that a node has not connected to yet. */
    List<Integer> missing(int node) {
        Attached own = attached.get(node);
        List<Integer> missing = new ArrayList<>();
        for (int peer = 0; peer < own.control.nodes(); peer++) {
            if (!own.fabric.isReachable(peer)) {
                missing.add(peer);
            }
        }
        return missing;
    }

    @Override
    public void connect() {
        startControls();
        if (!await(CONNECT_TIMEOUT, () -> attached.keySet().stream()
                .allMatch(node -> missing(node).isEmpty()))) {
            throw new IllegalStateException("the nodes do not connect on " + network.name() + ": "
                    + attached.keySet().stream()
                            .filter(node -> !missing(node).isEmpty())
                            .map(node -> "node " + node + " misses " + missing(node))
                            .collect(Collectors.joining(", ")));
        }
    }

    @Override
    public void leave(int node) {
        Attached own = attached.remove(node);
        if (own != null) {
            own.control.close();
        }
    }

    @Override
    public void close() {
        List.copyOf(attached.keySet()).forEach(node -> {
            attached.get(node).fabric.close();
            leave(node);
        });
    }
}
