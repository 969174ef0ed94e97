package dev.rcc.bench.driver;

import dev.rcc.core.cluster.Zones;
import dev.rcc.core.fabric.Atomicity;
import dev.rcc.server.config.Replications;
import dev.rcc.transport.network.FabricProvider;
import dev.rcc.transport.sim.SimOptions;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The network between the nodes of a benchmark, and where the nodes are. */
public sealed interface BenchNetwork {
    /** The name of the network between threads of one JVM. */
    String LOCAL = "local";
    /** The name of the simulated network. */
    String SIM = "sim";

    /** The network's name. */
    String name();

    /** The accesses against which its remote atomics are atomic. */
    Atomicity atomicity();

    /** The way in which commits get to the backups; one of {@link Replications#names}. */
    default String replication() {
        return Replications.RINGS;
    }

    /**
     * The settings of the network and its nodes that were chosen, and are no property of their own in a report: delays and options of the
     * network, by key.
     */
    default Map<String, String> settings() {
        return Map.of();
    }

    /** The simulated network's options, if the network is simulated. */
    default Optional<SimOptions> simulation() {
        return Optional.empty();
    }

    /** All nodes in this JVM, whose memory is the network. */
    record Local() implements BenchNetwork {
        @Override
        public String name() {
            return LOCAL;
        }

        @Override
        public Atomicity atomicity() {
            return Atomicity.GLOBAL;
        }
    }

    /** All nodes in this thread, in virtual time. */
    record Simulated(SimOptions options, Map<String, String> settings) implements BenchNetwork {
        /** Without settings. */
        public Simulated(SimOptions options) {
            this(options, Map.of());
        }

        @Override
        public String name() {
            return SIM;
        }

        @Override
        public Atomicity atomicity() {
            return options.atomicity();
        }

        @Override
        public Optional<SimOptions> simulation() {
            return Optional.of(options);
        }
    }

    /** All nodes in this JVM, each attached to a network as it would be in a process of its own. */
    record Embedded(FabricProvider choice, Map<String, String> settings) implements BenchNetwork {
        /** Without settings. */
        public Embedded(FabricProvider choice) {
            this(choice, Map.of());
        }

        @Override
        public String name() {
            return choice.name();
        }

        @Override
        public Atomicity atomicity() {
            return choice.atomicity();
        }
    }

    /**
     * Each node in a process of its own, which runs already.
     *
     * @param admins the processes' admin addresses, by node
     * @param zones the nodes' data centres
     * @param replication the replication with which the cluster was brought up
     * @param settings other settings with which it was brought up
     * @param diagnosis explains why a node does not answer
     */
    record Processes(
            String name,
            Atomicity atomicity,
            List<URI> admins,
            Zones zones,
            String replication,
            Map<String, String> settings,
            Diagnosis diagnosis)
            implements BenchNetwork {
        /** Explains why a node does not answer, from what can be seen outside of its process. */
        @FunctionalInterface
        public interface Diagnosis {
            /** One or two sentences for users on a node that does not answer, or has closed a connection. May wait some seconds. */
            String of(int node);
        }

        /** Takes a copy of the list. */
        public Processes {
            admins = List.copyOf(admins);
        }
    }
}
