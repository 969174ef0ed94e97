package dev.rcc.bench.agent;

import dev.rcc.core.cluster.Zones;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/** One fault of a drill, from its beginning until the nodes and links are as before. Used once. */
interface Injection {
    /** The nodes that the fault certainly takes out of the cluster before it begins. */
    default List<Integer> victims() {
        return List.of();
    }

    /** Injects the fault. */
    void begin() throws InterruptedException, IOException;

    /** Whether the fault goes on for a while after the other nodes have gone on. */
    default boolean lasts() {
        return false;
    }

    /** Waits, after the other nodes have gone on, for the further effect of a lasting fault. */
    default void awaitEffect() throws InterruptedException {}

    /** Lets processes run and links work again. */
    void end() throws InterruptedException, IOException;

    /** The nodes that have to be taken back; each has found that it was expelled. Called after the end. */
    default List<Integer> expelled() {
        return victims();
    }

    /** A short description of the fault. Called after the end. */
    String describe();

    /** The parts of a drill that injections use. */
    record Site(Zones zones, ProcessBench bench, FaultRun.Processes processes, ProgressPages pages) {
        /** A fault of this kind, at a drawn node or between drawn data centres. */
        Injection draw(FaultRun.Fault fault, SplittableRandom random) {
            int node = random.nextInt(zones.nodes());
            return switch (fault) {
                case KILL -> new Death(this, List.of(node), "node " + node);
                case DATACENTER -> new Death(this, zones.nodes(zones.zone(node)), "data centre " + zones.nameOf(node));
                case STOP -> new Stop(this, node);
                case CUT -> new Cut(this, node);
                case SPLIT -> {
                    int one = random.nextInt(zones.count());
                    yield new Split(this, one, (one + 1 + random.nextInt(zones.count() - 1)) % zones.count());
                }
            };
        }

        private void restart(int node) throws InterruptedException, IOException {
            bench.move(node, processes.start(node));
        }

        private void awaitKnows(int node) throws InterruptedException {
            pages.await(
                    node,
                    "finds that the others have gone on",
                    page -> page.required("expelled").asBoolean());
        }
    }

    /** Processes are killed, and others started. */
    record Death(Site site, List<Integer> victims, String describe) implements Injection {
        @Override
        public void begin() throws InterruptedException {
            for (int victim : victims) {
                site.processes.kill(victim);
            }
        }

        @Override
        public void end() throws InterruptedException, IOException {
            for (int victim : victims) {
                site.restart(victim);
            }
        }
    }

    /** A node lives on without the other nodes for a while. */
    interface OfOneNode extends Injection {
        int node();

        @Override
        default List<Integer> victims() {
            return List.of(node());
        }

        @Override
        default boolean lasts() {
            return true;
        }

        @Override
        default String describe() {
            return "node " + node();
        }
    }

    /** A process is stopped, and resumes if the other nodes have not killed it. */
    record Stop(Site site, int node) implements OfOneNode {
        @Override
        public void begin() throws InterruptedException, IOException {
            site.bench.agent(node).expectSilence();
            site.processes.stop(node);
        }

        @Override
        public void end() throws InterruptedException, IOException {
            if (site.processes.goOn(node)) {
                site.awaitKnows(node);
            } else {
                site.restart(node);
            }
        }
    }

    /** A node loses all other nodes: outside of its process if possible, otherwise within it. */
    record Cut(Site site, int node) implements OfOneNode {
        @Override
        public void begin() throws InterruptedException, IOException {
            if (!site.processes.plug(node, false)) {
                site.bench.agent(node).post("cut", "");
            }
        }

        @Override
        public void awaitEffect() throws InterruptedException {
            site.pages.await(node, "refuses", page -> !page.required("serving").asBoolean());
        }

        @Override
        public void end() throws InterruptedException, IOException {
            if (!site.processes.plug(node, true)) {
                site.bench.agent(node).post("heal", "");
            }
            site.awaitKnows(node);
        }
    }

    /** Two data centres lose each other. The cluster itself chooses the nodes that it goes on without. */
    final class Split implements Injection {
        private final Site site;
        private final int one;
        private final int other;
        private List<Integer> expelled = List.of();

        Split(Site site, int one, int other) {
            this.site = site;
            this.one = one;
            this.other = other;
        }

        @Override
        public void begin() throws InterruptedException {
            links("cut");
        }

        @Override
        public boolean lasts() {
            return true;
        }

        @Override
        public void end() throws InterruptedException {
            links("heal");
            expelled = site.pages.expelled();
            for (int node : expelled) {
                site.awaitKnows(node);
            }
        }

        private void links(String step) throws InterruptedException {
            for (int zone : List.of(one, other)) {
                String peers = site.zones.nodes(zone == one ? other : one).stream()
                        .map(Object::toString)
                        .collect(Collectors.joining(","));
                for (int node : site.zones.nodes(zone)) {
                    site.bench.agent(node).post(step, peers);
                }
            }
        }

        @Override
        public List<Integer> expelled() {
            return expelled;
        }

        @Override
        public String describe() {
            return "data centres %s and %s, without nodes %s".formatted(name(one), name(other), expelled);
        }

        private String name(int zone) {
            return site.zones.nameOf(site.zones.nodes(zone).getFirst());
        }
    }
}
