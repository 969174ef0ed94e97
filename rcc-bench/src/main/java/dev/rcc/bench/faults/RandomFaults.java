package dev.rcc.bench.faults;

import dev.rcc.bench.check.Model;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Does to a cluster what a schedule says, one fault after the other, while clients read and update records; waits after each until the cluster is whole
 * again; and compares the outcomes that clients received with the data at the end.
 *
 * <p>A cluster that is not whole again within the patience is stuck, which ends the run: that is a violation, too. The outcomes that
 * clients received until then are compared with what can still be read.
 *
 * <p>A run is run once.
 */
public final class RandomFaults {
    private final Options options;
    private final ClientLoad load;
    private final FaultCourse course;

    /**
     * What to do.
     *
     * @param gateways where clients connect
     * @param table which table they use, of {@code long} keys
     * @param recordBytes bytes of its records
     * @param keys how many records they use
     * @param clients how many there are
     * @param thinkMillis how long each waits between transactions on average
     * @param seed of what they do
     * @param patienceSeconds how long the cluster may take to be whole again
     * @param mayEndNodes whether nodes kill those that they go on without
     * @param model what the history is held to
     */
    public record Options(
            String gateways,
            String table,
            int recordBytes,
            int keys,
            int clients,
            int thinkMillis,
            long seed,
            int patienceSeconds,
            boolean mayEndNodes,
            Model model) {}

    /**
     * How a fault went.
     *
     * @param gapNanos the longest time without an acknowledged commit that began before the node or nodes were started again
     * @param returnGapNanos the longest one after that, until the cluster was whole
     * @param returnNanos how long that took
     */
    public record Outage(PlannedFault fault, long gapNanos, long returnGapNanos, long returnNanos) {}

    /**
     * A run.
     *
     * @param progress receives a line for each fault
     */
    public RandomFaults(Options options, ClusterShape shape, ClusterNodes nodes, Consumer<String> progress) {
        this.options = options;
        this.load = new ClientLoad(
                options.gateways(),
                options.table(),
                options.recordBytes(),
                options.keys(),
                options.clients(),
                options.thinkMillis(),
                options.seed());
        FaultCourse.Terms terms = new FaultCourse.Terms(options.patienceSeconds(), options.mayEndNodes());
        this.course = new FaultCourse(terms, shape, nodes, load, progress);
    }

    /**
     * Runs a schedule to its end, or until the cluster is stuck or a fault cannot be done, and checks the outcomes that clients received
     * until then.
     */
    public FaultsResult run(List<PlannedFault> schedule) throws InterruptedException, IOException {
        ClientLoad.End end;
        try (load) {
            course.harmAll(schedule);
            load.end(course.whyNoFurther().isEmpty() ? course.patienceNanos() : 0);
            end = load.finish(course.patienceNanos());
        }
        List<String> violations = new ArrayList<>(course.violations());
        if (!end.stuck().isEmpty()) {
            violations.add("STUCK: keys " + end.stuck() + " cannot be written: " + options.patienceSeconds()
                    + " s after all clients have ended their locks are still held, or no node serves them");
            violations.addAll(course.evidence());
        }
        violations.addAll(load.failures());
        AcknowledgedWork work = AcknowledgedWork.of(load.attempts(), end.versions(), options.model());
        violations.addAll(work.violations());
        course.remarkErrors();
        return new FaultsResult(
                course.outages(),
                schedule.size(),
                course.whyNoFurther(),
                load.acknowledgements().count(),
                end.stuck().size(),
                end.unread(),
                work,
                List.copyOf(violations),
                List.copyOf(course.remarks()));
    }

    /** Has no further fault begin: the one under way comes to its end, and then the data is checked. On any thread. */
    public void endEarly() {
        course.endEarly();
    }
}
