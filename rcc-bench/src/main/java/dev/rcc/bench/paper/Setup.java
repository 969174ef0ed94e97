package dev.rcc.bench.paper;

import dev.rcc.core.fabric.Atomicity;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * One run that a claim needs, with all properties that may differ between runs. Immutable; equal setups are the same run. Each kind of
 * run has a class, and an experiment that makes the run.
 */
public interface Setup {
    /** The run in a few words. */
    String describe();

    /** The shape of its cluster in words, such as {@code 4 nodes x 10 workers}. */
    String cluster();

    /** The network between its nodes. */
    Network network();

    /** Whether the times and the records of a {@link Scale} apply to it; otherwise it has its own. */
    boolean isScaled();

    /** Its duration, in words. */
    String times(Scale scale);

    /** All properties that may differ between runs, for JSON: strings, numbers and maps of these, by key. */
    Map<String, Object> facts();

    /** With other costs of the simulated network, by key of its profile; unchanged on another network. */
    Setup withCosts(Map<String, String> costs);

    /**
     * Makes the run with the experiment for its kind.
     *
     * @throws InterruptedException when the calling thread was interrupted
     */
    Measured measuredBy(Experiments experiments) throws InterruptedException;

    /** The network between the nodes. */
    public sealed interface Network {
        /** The network's name. */
        String name();

        /** The network in a few words, {@code MODELLED} among them if it is simulated. */
        String describe();

        /** Whether measurements on it are modelled. */
        boolean isModelled();

        /** Its properties for JSON, without its name. */
        Map<String, Object> facts();

        /** With other costs, by key; unchanged if it is not simulated. */
        Network withCosts(Map<String, String> costs);

        /**
         * The simulated network.
         *
         * @param profile the name of its cost profile
         * @param atomicity the accesses against which its NICs' atomics are atomic
         * @param emulatedNodes number of nodes of a larger cluster, whose number of queue pairs every NIC has; 0 for none
         * @param costs the changed costs of the profile, by key
         */
        record Simulated(String profile, Atomicity atomicity, int emulatedNodes, Map<String, String> costs)
                implements Network {
            /** Takes a copy of the map. */
            public Simulated {
                costs = Collections.unmodifiableMap(new TreeMap<>(costs));
            }

            /** A profile whose atomics are atomic against all accesses, with the queue pairs of the cluster itself. */
            public static Simulated as(String profile) {
                return new Simulated(profile, Atomicity.GLOBAL, 0, Map.of());
            }

            @Override
            public Network withCosts(Map<String, String> others) {
                return new Simulated(profile, atomicity, emulatedNodes, others);
            }

            @Override
            public String name() {
                return "sim";
            }

            @Override
            public String describe() {
                return "sim, MODELLED as " + profile + (atomicity == Atomicity.DEVICE ? " with device atomicity" : "");
            }

            @Override
            public boolean isModelled() {
                return true;
            }

            @Override
            public Map<String, Object> facts() {
                Map<String, Object> modelled = new LinkedHashMap<>();
                modelled.put("profile", profile);
                modelled.put("atomicity", atomicity.name().toLowerCase(Locale.ROOT));
                modelled.put("emulated_nodes", emulatedNodes);
                modelled.put("changed_costs", costs);
                return Map.of("modelled", modelled);
            }
        }

        /**
         * A network between nodes in this JVM, in real time.
         *
         * @param name {@code local}, or the name of a network between processes
         * @param options the network's options with other values than the default, by key
         */
        record Real(String name, Map<String, String> options) implements Network {
            /** Takes a copy of the map. */
            public Real {
                options = Collections.unmodifiableMap(new TreeMap<>(options));
            }

            @Override
            public String describe() {
                return name;
            }

            @Override
            public boolean isModelled() {
                return false;
            }

            @Override
            public Map<String, Object> facts() {
                return Map.of("fabric_options", options);
            }

            @Override
            public Network withCosts(Map<String, String> costs) {
                return this;
            }
        }
    }
}
