package dev.rcc.server.recovery;

import dev.rcc.server.membership.Configuration;
import dev.rcc.transport.control.Control;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds out which nodes restart together, where dead nodes are replaced: the members of the configuration that was agreed on last. */
final class RestartMembers {
    private static final Logger LOG = LoggerFactory.getLogger(RestartMembers.class);
    private static final long LOOK_MILLIS = 20;
    private static final long SAY_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Control control;
    private final NodeMembership membership;

    RestartMembers(Control control, NodeMembership membership) {
        this.control = control;
        this.membership = membership;
    }

    /** The members of a configuration; all nodes, if the cluster has not formed. */
    List<Integer> of(Configuration configuration) {
        return configuration.hasFormed()
                ? configuration.members().stream().boxed().toList()
                : all();
    }

    private List<Integer> all() {
        return IntStream.range(0, control.nodes()).boxed().toList();
    }

    /**
     * Waits until all members of the last configuration are connected, each in another incarnation.
     *
     * @return that configuration; empty if this node is a newcomer
     */
    Optional<Configuration> await() throws InterruptedException {
        long reported = System.nanoTime();
        List<Integer> members = all();
        Map<Integer, Long> seen = Map.of();
        while (true) {
            Map<Integer, Long> incarnations = incarnations();
            // Each request for the last configuration makes the group's log grow.
            Optional<Configuration> last = incarnations.equals(seen) ? Optional.empty() : askLast(incarnations);
            if (last.isPresent()) {
                seen = incarnations;
                if (isNewcomer(last.get(), incarnations)) {
                    return Optional.empty();
                }
                members = of(last.get());
                if (incarnations.keySet().containsAll(members) && incarnations.equals(incarnations())) {
                    return last;
                }
            }
            if (System.nanoTime() - reported > SAY_NANOS) {
                reported = System.nanoTime();
                LOG.info(
                        "event=recovery_waits node={} needed={} present={}: recovery from disk needs all of these nodes",
                        control.node(),
                        members,
                        incarnations.keySet());
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    private boolean isNewcomer(Configuration last, Map<Integer, Long> incarnations) {
        return last.hasFormed()
                && (!last.isMember(control.node())
                        || incarnations.entrySet().stream()
                                .anyMatch(incarnation -> last.isMember(incarnation.getKey(), incarnation.getValue())));
    }

    /** The incarnations of the connected nodes, by node. */
    private Map<Integer, Long> incarnations() {
        Map<Integer, Long> incarnations = new TreeMap<>();
        for (int peer = 0; peer < control.nodes(); peer++) {
            if (membership.incarnation(peer) != Configuration.NO_MEMBER) {
                incarnations.put(peer, membership.incarnation(peer));
            }
        }
        return incarnations;
    }

    private Optional<Configuration> askLast(Map<Integer, Long> incarnations) throws InterruptedException {
        for (int peer : incarnations.keySet()) {
            try {
                return Optional.of(membership.last(peer).get());
            } catch (ExecutionException e) {
                LOG.debug("node {} does not lead", peer, e);
            }
        }
        return Optional.empty();
    }
}
