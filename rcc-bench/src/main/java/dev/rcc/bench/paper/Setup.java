package dev.rcc.bench.paper;

import dev.rcc.core.fabric.Atomicity;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * One run: what a claim needs to be measured, with all that may differ between runs. Immutable; two that are equal are the same run. There
 * is a class for each kind of run, and an experiment that makes it.
 */
public interface Setup {
    /** What runs, in a few words. */
    String describe();

    /** The shape of its cluster in words, such as {@code 4 nodes x 10 workers}. */
    String cluster();

    /** Over which its nodes talk. */
    Network network();

    /** Whether the times and the records of a {@link Scale} are for it; otherwise it brings its own. */
    boolean isScaled();

    /** How long it takes, in words. */
    String times(Scale scale);

    /** All that may differ between runs, as JSON has it: strings, numbers and maps of these, by key. */
    Map<String, Object> facts();

    /** With other costs of the simulated network, by key of its profile; the same if it is not on one. */
    Setup withCosts(Map<String, String> costs);

    /**
     * Has the experiment for its kind make the run.
     *
     * @throws InterruptedException when the calling thread was interrupted
     */
    Measured measuredBy(Experiments experiments) throws InterruptedException;

    /** Over what the nodes talk. */
    public sealed interface Network {
        /** The network's name. */
        String name();

        /** The network in a few words, {@code MODELLED} among them if it is simulated. */
        String describe();

        /** Whether what is measured on it is modelled. */
        boolean isModelled();

        /** What JSON says of it beside its name. */
        Map<String, Object> facts();

        /** With other costs, by key, if it is simulated. */
        Network withCosts(Map<String, String> costs);

        /**
         * The simulated network.
         *
         * @param profile the name of its cost profile
         * @param atomicity against what its NICs' atomics are atomic
         * @param emulatedNodes nodes of the larger cluster whose number of queue pairs every NIC is to have; 0 for none
         * @param costs of the profile that are others, by key
         */
        record Simulated(String profile, Atomicity atomicity, int emulatedNodes, Map<String, String> costs)
                implements Network {
            /** Takes a copy of the map. */
            public Simulated {
                costs = Collections.unmodifiableMap(new TreeMap<>(costs));
            }

            /** A profile, whose atomics are atomic against all, with the queue pairs that the cluster has. */
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
         * A network between nodes that are in this JVM, in real time.
         *
         * @param name {@code local}, or that of a network between processes
         * @param options of the network that are not to have their default, by key
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
