package dev.rcc.server.simulation;

import dev.rcc.core.replication.LoggedEntries;
import dev.rcc.core.replication.LoggedEntries.Entry;
import dev.rcc.server.node.Node;
import dev.rcc.server.node.NodeGroup;
import dev.rcc.server.recovery.RecoveryStep;
import dev.rcc.server.recovery.RecoveryWatch;
import dev.rcc.transport.sim.SimNetwork;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

/** Detects the moment at which a node is to die. Looks at the memory of all nodes between any two events; the nodes do not notice. */
final class MomentWatch {
    private final NodeGroup group;
    private final SimNetwork network;
    private final UnfreedSlots unfreed;
    private final RecoveryProgress progress;
    private final Map<Integer, LoggedEntries> entries = new HashMap<>();
    /** Whether a node has begun another incarnation: entries that were logged before do not count. */
    private boolean isAnyBack;

    private Moment moment;
    private int victim;
    private long passagesBefore;
    /** The transaction of the moment, once it is found. */
    private Entry watched;
    /** Heals the link that was cut for the moment to come. */
    private Runnable healing;

    MomentWatch(NodeGroup group, SimNetwork network, UnfreedSlots unfreed, RecoveryProgress progress) {
        this.group = group;
        this.network = network;
        this.unfreed = unfreed;
        this.progress = progress;
    }

    /** Sets the moment of the next death. */
    void await(Moment next) {
        moment = next;
        watched = null;
        progress.reset();
    }

    /** Sets the node that dies next. */
    void watch(int node) {
        victim = node;
        entries.computeIfAbsent(node, id -> {
            LoggedEntries all =
                    node(id).replication().loggedEntries(other -> node(other).replication());
            if (isAnyBack) {
                all.skip();
            }
            return all;
        });
        passagesBefore = moment instanceof Moment.Passed passed ? passages(passed.stage()) : 0;
    }

    /** A node begins another incarnation: the records of its rings, and of its coordinators, do not count any more. */
    void forget() {
        isAnyBack = true;
        entries.clear();
        watched = null;
    }

    /** The entries that the victim has logged. */
    LoggedEntries logged() {
        return entries.get(victim);
    }

    /** Looks at the victim, before each event. */
    void look() {
        logged().look();
    }

    private Node node(int id) {
        return group.nodes().get(id);
    }

    /**
     * Whether the moment has come.
     *
     * @param sinceNanos how long it has been awaited
     */
    boolean hasCome(long sinceNanos) {
        return switch (moment) {
            case Moment.Later later -> sinceNanos >= later.nanos();
            case Moment.Logged logged -> {
                Entry entry = logged().entry(logged.entry());
                yield entry != null && entry.arrived() >= Math.min(logged.rings(), entry.copies());
            }
            case Moment.Marked marked -> isMarked(marked.entry());
            case Moment.Lapped lapped -> hasLapped(lapped.entry());
            case Moment.Torn torn ->
                logged().last().stream().anyMatch(entry -> entry.number() >= torn.entry() && entry.isTornInOne());
            case Moment.Unfreed deleted -> isUnfreedByVictim(deleted.entry());
            case Moment.Passed passed -> passagesSince(passed) >= passed.passages();
            case Moment.Recovering recovering -> {
                int nodes = progress.nodes(recovering.step(), recovering.ended());
                yield nodes >= Math.min(recovering.nodes(), group.running().size());
            }
            case Moment.Joining joining -> {
                int nodes = progress.nodes(joining.step(), joining.ended());
                yield progress.joiner() != RecoveryWatch.NO_NODE
                        && nodes >= Math.min(joining.nodes(), taking(joining.step()));
            }
        };
    }

    /** The number of nodes that take a step in which a node is taken in. */
    private int taking(RecoveryStep step) {
        return switch (step) {
            case WELCOME -> group.running().size() - 1;
            case COPY -> 1;
            default -> group.running().size();
        };
    }

    /** Whether the moment is that of a stage which the victim's transactions have passed exactly as often as planned. */
    boolean hasJustPassed() {
        return moment instanceof Moment.Passed passed && passagesSince(passed) == passed.passages();
    }

    private long passagesSince(Moment.Passed passed) {
        return passages(passed.stage()) - passagesBefore;
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

    /** The number of stages that a node's transactions have passed. */
    static long passages(Node node) {
        return IntStream.range(0, node.worker(0).timers().stages().size())
                .mapToLong(stage -> passages(node, stage))
                .sum();
    }

    private boolean isMarked(int number) {
        if (watched == null) {
            watched = logged().entry(number);
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

    /** Heals the link that was cut for the moment to come. */
    void heal() {
        if (healing != null) {
            healing.run();
            healing = null;
        }
    }

    private boolean hasLapped(int first) {
        if (watched == null || !isLapped(watched)) {
            watched = null;
            for (Entry entry : logged().last()) {
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
        LoggedEntries all = logged();
        return all.count() >= first && unfreed.isAny(victim, version -> all.isAnyOf(version, first));
    }
}
