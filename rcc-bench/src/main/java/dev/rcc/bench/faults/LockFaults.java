package dev.rcc.bench.faults;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Kills or stops the nodes of a cluster, one after the other, while clients count under its locks. No count may be lost, and no holder
 * that is known to be late may write. A run is run once.
 */
public final class LockFaults {
    private final LockLoad load;
    private final FaultCourse course;

    /**
     * The options of a run.
     *
     * @param gateways the addresses where clients connect
     * @param namespace the locks' namespace
     * @param table the table of the counts, of {@code long} keys and records of 8 bytes or more
     * @param clients the number of clients
     * @param thinkMillis how long each client waits between counts on average
     * @param leaseMillis the longest time that a lock of one slot is held
     * @param seed the seed of the clients' choices
     * @param patienceSeconds how long the cluster may take to be whole again
     * @param mayEndNodes whether nodes kill the nodes that they go on without
     */
    public record Options(
            String gateways,
            String namespace,
            String table,
            int clients,
            int thinkMillis,
            int leaseMillis,
            long seed,
            int patienceSeconds,
            boolean mayEndNodes) {}

    /**
     * The result of a run.
     *
     * @param outages the outages of the faults
     * @param whyNoFurther why not all faults were injected; empty if they were
     * @param counts counts that were acknowledged
     * @param unknown counts whose outcome no gateway knew
     * @param lost acknowledged counts that are missing
     * @param late transactions of holders that were known to be late
     * @param refused the late transactions that were refused; the rest failed for another reason
     * @param effective the late transactions that had an effect
     * @param lostLocks transactions that were refused because their lock was lost, of holders that were not known to be late
     * @param violations the violations, each a sentence
     * @param remarks remarks that are no violations
     */
    public record Result(
            List<RandomFaults.Outage> outages,
            String whyNoFurther,
            long counts,
            long unknown,
            long lost,
            long late,
            long refused,
            long effective,
            long lostLocks,
            List<String> violations,
            List<String> remarks) {
        /** Whether there is no violation. */
        public boolean isClean() {
            return violations.isEmpty();
        }
    }

    /**
     * A run.
     *
     * @param progress receives a line for each fault
     */
    public LockFaults(Options options, ClusterShape shape, ClusterNodes nodes, Consumer<String> progress) {
        this.load = new LockLoad(
                options.gateways(),
                options.namespace(),
                options.table(),
                options.clients(),
                options.thinkMillis(),
                options.leaseMillis(),
                options.seed());
        FaultCourse.Terms terms = new FaultCourse.Terms(options.patienceSeconds(), options.mayEndNodes());
        this.course = new FaultCourse(terms, shape, nodes, load, progress);
    }

    /** Runs a schedule to its end, or until the cluster is stuck, and checks the counts. */
    public Result run(List<PlannedFault> schedule) throws InterruptedException, IOException {
        LockLoad.Result counted;
        try (load) {
            course.harmAll(schedule);
            load.end(course.whyNoFurther().isEmpty() ? course.patienceNanos() : 0);
            counted = load.finish(course.patienceNanos());
        }
        List<String> violations = new ArrayList<>(course.violations());
        violations.addAll(load.failures());
        if (counted.unread() > 0) {
            violations.addAll(course.evidence());
        }
        course.remarkErrors();
        return new Result(
                course.outages(),
                course.whyNoFurther(),
                counted.counts(),
                counted.unknown(),
                counted.lost(),
                counted.late(),
                counted.refused(),
                counted.effective(),
                counted.lostLocks(),
                List.copyOf(violations),
                List.copyOf(course.remarks()));
    }

    /** Lets no further fault begin: the fault in progress ends, and then the counts are checked. On any thread. */
    public void endEarly() {
        course.endEarly();
    }
}
