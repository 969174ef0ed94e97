package dev.rcc.server.simulation;

import dev.rcc.core.replication.LogReport;
import dev.rcc.core.replication.LoggedEntries;
import dev.rcc.core.replication.LoggedEntries.Entry;
import dev.rcc.core.replication.LoggedTransaction;
import dev.rcc.core.time.Timestamp;
import dev.rcc.server.node.Node;
import dev.rcc.server.node.NodeGroup;
import dev.rcc.server.recovery.RecoveryStep;
import dev.rcc.server.recovery.RecoveryWatch;
import dev.rcc.transport.sim.LinkWatch;
import dev.rcc.transport.sim.SimNetwork;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.stream.IntStream;

/**
 * Stops nodes of a simulated cluster at moments that were planned, one after the other, and counts what windows that hits. It looks at the
 * memory of all nodes between any two events; the nodes know nothing of it.
 */
public final class PlannedDeaths implements RecoveryWatch, LinkWatch {
    private static final int NOBODY = -1;

    private final NodeGroup group;
    private final SimNetwork network;
    private final UnfreedSlots unfreed;
    private final Windows windows = new Windows();
    private final Queue<Death> plan = new ArrayDeque<>();
    private final Map<Integer, LoggedEntries> entries = new HashMap<>();
    private final Map<RecoveryStep, Integer> began = new EnumMap<>(RecoveryStep.class);
    private final Map<RecoveryStep, Integer> ended = new EnumMap<>(RecoveryStep.class);
    private final Map<Integer, LogReport> reports = new HashMap<>();
    private final Killer killer;
    /** Nodes that have begun another life. */
    private final BitSet returned = new BitSet();
    /** Those of them that were taken in. */
    private final BitSet rejoined = new BitSet();
    /** Who is being taken in, or nobody. */
    private int joiner = NOBODY;

    /** Null if nobody is to die any more. */
    private Death next;

    private int victim;
    private long armedNanos;
    private boolean dying;
    private long passagesBefore;
    private Entry watched;
    private Runnable healing;
    /** The step that some node has begun and others have not taken, or null. */
    private RecoveryStep current;

    private int unnoticed;
    /** By node that is counted as dead and lives: what its transactions had passed when that began. */
    private final Map<Integer, Long> passedWhenSuspected = new HashMap<>();
    /** A backup that had not got the entry that the last death was about. */
    private int lacking = NOBODY;

    /** Stops nodes. */
    public interface Killer {
        /** Has a node die. */
        void kill(int node, Death death);

        /** A node takes part again. */
        void rejoined(int node);

        /** Whether copies of everything are left when a node dies, and of everything that is half-written somebody can tell. */
        boolean mayDie(int node);
    }

    /**
     * Nobody dies yet.
     *
     * @param group has all nodes of the cluster
     */
    public PlannedDeaths(NodeGroup group, SimNetwork network, UnfreedSlots unfreed, Killer killer) {
        this.group = group;
        this.network = network;
        this.unfreed = unfreed;
        this.killer = killer;
    }

    /** What that has come to so far. */
    public Windows windows() {
        return windows;
    }

    /** Plans deaths, before the cluster starts. */
    public void plan(List<Death> deaths) {
        plan.addAll(deaths);
    }

    /** The faults begin. */
    public void begin() {
        if (!plan.isEmpty()) {
            network.simulation().observe(this::look);
            arm();
        }
    }

    /** Nobody dies any more. */
    public void end() {
        plan.clear();
        next = null;
    }

    private void arm() {
        next = plan.poll();
        if (next == null) {
            return;
        }
        armedNanos = network.simulation().now();
        dying = false;
        watched = null;
        began.clear();
        ended.clear();
        victim = victim();
        if (victim == NOBODY) {
            end();
            return;
        }
        watch(victim);
    }

    private void watch(int node) {
        entries.computeIfAbsent(node, id -> {
            LoggedEntries all =
                    node(id).replication().loggedEntries(other -> node(other).replication());
            if (!returned.isEmpty()) {
                all.skip(); // what was logged before is over
            }
            return all;
        });
        passagesBefore = next.moment() instanceof Moment.Passed passed ? passages(passed.stage()) : 0;
    }

    private int victim() {
        if (next.whoLacks() && lacking != NOBODY && !group.isStopped(lacking)) {
            return lacking;
        }
        List<Node> nodes = group.nodes();
        for (int i = 0; i < nodes.size(); i++) {
            int node = (next.node() + i) % nodes.size();
            if (!group.isStopped(node) && group.running().size() > 1) {
                return node;
            }
        }
        return NOBODY;
    }

    private Node node(int id) {
        return group.nodes().get(id);
    }

    // ---- between events --------------------------------------------------------------------------------------------

    private void look() {
        if (next == null) {
            return;
        }
        entries.get(victim).look();
        long now = network.simulation().now();
        if (!dying && (hasCome(next.moment(), now) || now - armedNanos >= next.latestNanos())) {
            dying = true;
            Death death = next;
            network.later(death.delayNanos(), () -> die(death));
        }
    }

    private boolean hasCome(Moment moment, long now) {
        return switch (moment) {
            case Moment.Later later -> now - armedNanos >= later.nanos();
            case Moment.Logged logged -> {
                Entry entry = entries.get(victim).entry(logged.entry());
                yield entry != null && entry.arrived() >= Math.min(logged.rings(), entry.copies());
            }
            case Moment.Marked marked -> isMarked(marked.entry());
            case Moment.Lapped lapped -> hasLapped(lapped.entry());
            case Moment.Torn torn ->
                entries.get(victim).last().stream()
                        .anyMatch(entry -> entry.number() >= torn.entry() && entry.isTornInOne());
            case Moment.Unfreed deleted -> isUnfreedByVictim(deleted.entry());
            case Moment.Passed passed -> passages(passed.stage()) - passagesBefore >= passed.passages();
            case Moment.Recovering recovering -> {
                int nodes = (recovering.ended() ? ended : began).getOrDefault(recovering.step(), 0);
                yield nodes >= Math.min(recovering.nodes(), group.running().size());
            }
            case Moment.Joining joining -> {
                int nodes = (joining.ended() ? ended : began).getOrDefault(joining.step(), 0);
                yield joiner != NOBODY && nodes >= Math.min(joining.nodes(), taking(joining.step()));
            }
        };
    }

    /** How many nodes take a step in which one is taken in. */
    private int taking(RecoveryStep step) {
        return switch (step) {
            case WELCOME -> group.running().size() - 1;
            case COPY -> 1;
            default -> group.running().size();
        };
    }

    private long passages(String stage) {
        Node node = node(victim);
        return passages(node, node.worker(0).timers().stages().indexOf(stage));
    }

    private static long passages(Node node, int stage) {
        return IntStream.range(0, node.workers())
                .mapToLong(i -> node.worker(i).timers().passages(stage))
                .sum();
    }

    private static long passages(Node node) {
        return IntStream.range(0, node.worker(0).timers().stages().size())
                .mapToLong(stage -> passages(node, stage))
                .sum();
    }

    private boolean isMarked(int number) {
        if (watched == null) {
            watched = entries.get(victim).entry(number);
            if (watched != null) {
                int unreachable = watched.backup(watched.copies() - 1);
                int from = victim;
                network.cut(from, unreachable);
                healing = () -> network.heal(from, unreachable);
            }
        }
        for (int i = 0; watched != null && i < watched.copies(); i++) {
            if (watched.isAborted(i)) {
                return true;
            }
        }
        return false;
    }

    private boolean hasLapped(int first) {
        LoggedEntries all = entries.get(victim);
        if (watched == null || !isLapped(watched)) {
            watched = null;
            for (Entry entry : all.last()) {
                if (entry.number() >= first && isLapped(entry)) {
                    watched = entry;
                    break;
                }
            }
        }
        return watched != null && isOverwritten(watched);
    }

    private static boolean isLapped(Entry entry) {
        boolean lapped = false;
        boolean undecided = false;
        for (int i = 0; i < entry.copies(); i++) {
            lapped |= entry.isLapped(i);
            undecided |= !entry.isLapped(i) && entry.isUndecided(i);
        }
        return lapped && undecided && entry.isDecided();
    }

    private static boolean isOverwritten(Entry entry) {
        for (int i = 0; i < entry.copies(); i++) {
            if (entry.isOverwritten(i)) {
                return true;
            }
        }
        return false;
    }

    private boolean isUnfreedByVictim(int first) {
        LoggedEntries all = entries.get(victim);
        return all.count() >= first && unfreed.isAny(victim, version -> all.isAnyOf(version, first));
    }

    // ---- deaths ----------------------------------------------------------------------------------------------------

    private void die(Death death) {
        if (next == null) {
            return; // the deaths have ended
        }
        if (group.isStopped(victim) || !killer.mayDie(victim)) {
            heal();
            arm();
            return;
        }
        count(death);
        unnoticed++;
        network.later(death.noticeNanos(), () -> unnoticed--);
        if (death.isFalse()) {
            windows.hit(Windows.SUSPECTED);
            passedWhenSuspected.put(victim, passages(node(victim)));
        }
        killer.kill(victim, death);
        heal();
        arm();
    }

    /** A node that was counted as dead, and lived, is about to begin another life. */
    public void suspectedEnds(int node) {
        if (passages(node(node)) > passedWhenSuspected.remove(node)) {
            windows.hit(Windows.SUSPECTED_GOES_ON);
        }
    }

    private void heal() {
        if (healing != null) {
            healing.run();
            healing = null;
        }
    }

    private void count(Death death) {
        LoggedEntries logged = entries.get(victim);
        lacking = NOBODY;
        for (Entry entry : logged.last()) {
            count(entry);
        }
        if (death.moment() instanceof Moment.Passed passed
                && passages(passed.stage()) - passagesBefore == passed.passages()) {
            windows.hit(Windows.deathAfter(passed.stage()));
        }
        if (unfreed.isAny(victim, version -> logged.isAnyOf(version, 1))) {
            windows.hit(Windows.DELETE_UNFREED);
        }
        if (returned.get(victim) && logged.count() > 0) {
            windows.hit(Windows.DEATH_AFTER_RETURN);
        }
        if (current != null && joiner != NOBODY) {
            windows.hit(victim == joiner ? Windows.deathOfJoinerIn(current) : Windows.deathInJoin(current));
        } else if (current != null) {
            windows.hit(Windows.deathIn(current));
        } else if (unnoticed > 0) {
            windows.hit(Windows.DEATH_TOGETHER);
        }
    }

    private void count(Entry entry) {
        int living = 0;
        int arrived = 0;
        boolean undecided = false;
        boolean torn = false;
        for (int i = 0; i < entry.copies(); i++) {
            if (group.isStopped(entry.backup(i)) || entry.isLapped(i)) {
                continue;
            }
            living++;
            undecided |= entry.isUndecided(i);
            torn |= entry.isTorn(i);
            if (entry.isIn(i)) {
                arrived++;
            } else {
                lacking = entry.backup(i);
            }
        }
        if (living > 0 && undecided) {
            windows.hit(
                    arrived == 0
                            ? Windows.ENTRY_NOWHERE
                            : arrived < living ? Windows.ENTRY_SOMEWHERE : Windows.ENTRY_EVERYWHERE);
        }
        if (torn) {
            windows.hit(Windows.ENTRY_TORN);
        }
    }

    // ---- what the nodes that are left do ---------------------------------------------------------------------------

    @Override
    public void begins(int newJoiner) {
        joiner = newJoiner;
        boolean isTimed = next != null && next.moment() instanceof Moment.Joining && !dying;
        if (isTimed && joiner != NOBODY) {
            began.clear();
            ended.clear();
            victim = ((Moment.Joining) next.moment()).isJoiner() ? joiner : member();
            watch(victim);
        }
    }

    private int member() {
        return IntStream.range(0, group.nodes().size())
                .map(i -> (next.node() + i) % group.nodes().size())
                .filter(node -> node != joiner && !group.isStopped(node))
                .findFirst()
                .orElse(joiner);
    }

    @Override
    public void joined(int node) {
        windows.hit(Windows.REJOINED);
        if (rejoined.get(node)) {
            windows.hit(Windows.REJOINED_AGAIN);
        }
        rejoined.set(node);
        if (next != null && next.node() == node && !dying && !(next.moment() instanceof Moment.Joining)) {
            victim = node;
            watch(node);
        }
        killer.rejoined(node);
    }

    /**
     * A node begins another life: all that was noted of its rings and of its coordinators is over. As the others stand still until it takes
     * part, nothing of theirs is on its way then.
     */
    public void returns(int node, boolean isNoticed) {
        if (!isNoticed) {
            windows.hit(Windows.BACK_UNNOTICED);
        }
        returned.set(node);
        entries.clear();
        watched = null;
        if (next != null) {
            watch(victim);
        }
    }

    @Override
    public void began(RecoveryStep step) {
        if (step == RecoveryStep.FREEZE) {
            reports.clear();
        } else if (step == RecoveryStep.REPLAY) {
            countReports();
        }
        current = step;
        began.merge(step, 1, Integer::sum);
    }

    @Override
    public void ended(RecoveryStep step) {
        ended.merge(step, 1, Integer::sum);
        if (step == RecoveryStep.RESUME && ended.get(step) >= began.getOrDefault(step, 0)) {
            current = null;
            joiner = NOBODY;
        }
    }

    @Override
    public void reported(int node, LogReport report) {
        reports.put(node, report);
    }

    @Override
    public void cut() {
        if (current != null) {
            windows.hit(Windows.CUT_IN_FAILOVER);
        }
    }

    @Override
    public void healed() {
        if (group.isAnyLocked()) {
            windows.hit(Windows.HEALED_WITH_LOCKS);
        }
    }

    private void countReports() {
        for (LogReport report : reports.values()) {
            for (LoggedTransaction txn : report.logged()) {
                if (txn.undecided()) {
                    count(txn);
                }
            }
        }
        reports.clear();
    }

    private void count(LoggedTransaction txn) {
        if (txn.aborted()) {
            windows.hit(Windows.ENTRY_ABORTED);
        }
        reports.forEach((other, report) -> {
            if (report.replayedId(txn.log(), Timestamp.coroutine(txn.id())) == txn.id()) {
                windows.hit(node(other).replication().isLeft(txn) ? Windows.ENTRY_REPLAYED : Windows.ENTRY_OVERWRITTEN);
            }
        });
    }
}
