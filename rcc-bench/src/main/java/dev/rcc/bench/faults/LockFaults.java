package dev.rcc.bench.faults;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Kills or stops the nodes of a cluster, one after the other, while clients count under its locks: no count may be lost, and no holder that is known
 * to be late may write. A run is run once.
 */
public final class LockFaults {
    private final LockLoad load;
    private final FaultCourse course;

    /**
     * What to do.
     *
     * @param gateways where clients connect
     * @param namespace the locks' namespace
     * @param table where they count, of {@code long} keys and records of 8 bytes or more
     * @param clients how many there are
     * @param thinkMillis how long each waits between counts on average
     * @param leaseMillis how long a lock of one slot is held at most
     * @param seed of what they do
     * @param patienceSeconds how long the cluster may take to be whole again
     * @param mayEndNodes whether nodes kill those that they go on without
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
     * What came of it.
     *
     * @param outages how the faults went
     * @param whyNoFurther why not all were done; empty if they were
     * @param counts counts that were acknowledged
     * @param unknown counts whose outcome no gateway knew
     * @param lost counts that were acknowledged and are not there
     * @param late transactions of holders that were known to be late
     * @param refused those of them that were refused; the rest failed for another reason
     * @param effective those of them that had an effect
     * @param lostLocks transactions that were refused as their lock was lost, of holders that did not know
     * @param violations what is wrong, each a sentence
     * @param remarks what is worth a note
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
        /** Whether nothing is wrong. */
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

    /** Has no further fault begin: the one under way comes to its end, and then the counts are checked. On any thread. */
    public void endEarly() {
        course.endEarly();
    }
}
