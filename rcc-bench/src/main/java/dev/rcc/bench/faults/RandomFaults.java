package dev.rcc.bench.faults;

import dev.rcc.bench.check.Model;
import dev.rcc.bench.statistics.Percentile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/**
 * Injects the faults of a schedule into a cluster, one after the other, while clients read and update records. After each fault it waits until the
 * cluster is whole again. At the end it compares the outcomes that clients received with the data.
 *
 * <p>A cluster that is not whole again within the patience is stuck, which ends the run and is a violation, too. The outcomes that
 * clients received until then are compared with the records that can still be read.
 *
 * <p>A run is run once.
 */
public final class RandomFaults {
    private final Options options;
    private final ClientLoad load;
    private final FaultCourse course;

    /**
     * The options of a run.
     *
     * @param gateways the addresses where clients connect
     * @param table the table that the clients use, of {@code long} keys
     * @param recordBytes bytes of its records
     * @param keys the number of records that the clients use
     * @param clients the number of clients
     * @param thinkMillis how long each client waits between transactions on average
     * @param seed the seed of the clients' choices
     * @param patienceSeconds how long the cluster may take to be whole again
     * @param mayEndNodes whether nodes kill the nodes that they go on without
     * @param model the model that the history must meet
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
     * The course of a fault.
     *
     * @param gapNanos the longest time without an acknowledged commit that began before the node or nodes were started again
     * @param returnGapNanos the longest such time after that, until the cluster was whole
     * @param returnNanos the time from that start until the cluster was whole
     */
    public record Outage(PlannedFault fault, long gapNanos, long returnGapNanos, long returnNanos) {
        /** A percentile of a time of some outages, in milliseconds, by nearest rank; 0 without outages. */
        public static long millis(List<Outage> outages, int percent, ToLongFunction<Outage> nanos) {
            return TimeUnit.NANOSECONDS.toMillis(
                    Percentile.of(outages.stream().mapToLong(nanos).toArray(), percent));
        }
    }

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
     * Runs a schedule to its end, or until the cluster is stuck or a fault cannot be injected, and checks the outcomes that clients received
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

    /** Lets no further fault begin: the fault in progress ends, and then the data is checked. On any thread. */
    public void endEarly() {
        course.endEarly();
    }
}
