package dev.rcc.server.simulation;

import dev.rcc.core.replication.LogReport;
import dev.rcc.core.replication.LoggedEntries;
import dev.rcc.core.replication.LoggedEntries.Entry;
import dev.rcc.core.replication.LoggedTransaction;
import dev.rcc.core.time.Timestamp;
import dev.rcc.server.node.Node;
import dev.rcc.server.node.NodeGroup;
import dev.rcc.server.recovery.RecoveryWatch;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/** Counts the windows that deaths, suspicions, returns and cuts hit. */
final class WindowCounter {
    private final NodeGroup group;
    private final UnfreedSlots unfreed;
    private final RecoveryProgress progress;
    private final Windows windows = new Windows();
    private final Map<Integer, LogReport> reports = new HashMap<>();
    /** Nodes that have begun another incarnation. */
    private final BitSet returned = new BitSet();
    /** Nodes that have begun another incarnation, and were taken in. */
    private final BitSet rejoined = new BitSet();
    /** By node that is counted as dead and lives: the number of stages that its transactions had passed when that began. */
    private final Map<Integer, Long> passedWhenSuspected = new HashMap<>();
    /** Deaths that no node has noticed. */
    private int unnoticed;
    /** A backup that had not received the entry of the last death. */
    private int lacking = RecoveryWatch.NO_NODE;
    /** A backup that had that entry. */
    private int having = RecoveryWatch.NO_NODE;

    WindowCounter(NodeGroup group, UnfreedSlots unfreed, RecoveryProgress progress) {
        this.group = group;
        this.unfreed = unfreed;
        this.progress = progress;
    }

    Windows windows() {
        return windows;
    }

    /** A backup that had not received the entry of the last death, or {@link RecoveryWatch#NO_NODE}. */
    int lacking() {
        return lacking;
    }

    /** A node that had the entry which {@link #lacking} had not received, or {@link RecoveryWatch#NO_NODE}. */
    int having() {
        return having;
    }

    // ---- deaths ----------------------------------------------------------------------------------------------------

    /**
     * A node dies now.
     *
     * @param logged the entries that it has logged
     * @param hasJustPassed whether its transactions have just passed the stage that its death was timed by
     */
    void dies(int victim, Death death, LoggedEntries logged, boolean hasJustPassed) {
        lacking = RecoveryWatch.NO_NODE;
        having = RecoveryWatch.NO_NODE;
        for (Entry entry : logged.last()) {
            count(entry);
        }
        if (hasJustPassed && death.moment() instanceof Moment.Passed passed) {
            windows.hit(Windows.deathAfter(passed.stage()));
        }
        if (unfreed.isAny(victim, version -> logged.isAnyOf(version, 1))) {
            windows.hit(Windows.DELETE_UNFREED);
        }
        if (returned.get(victim) && logged.count() > 0) {
            windows.hit(Windows.DEATH_AFTER_RETURN);
        }
        if (progress.current() != null && progress.joiner() != RecoveryWatch.NO_NODE) {
            windows.hit(
                    victim == progress.joiner()
                            ? Windows.deathOfJoinerIn(progress.current())
                            : Windows.deathInJoin(progress.current()));
        } else if (progress.current() != null) {
            windows.hit(Windows.deathIn(progress.current()));
        } else if (unnoticed > 0) {
            windows.hit(Windows.DEATH_TOGETHER);
        }
        unnoticed++;
        if (death.isFalse()) {
            windows.hit(Windows.SUSPECTED);
            passedWhenSuspected.put(victim, MomentWatch.passages(node(victim)));
        }
    }

    /** A node dies with another one of its zone. */
    void diesAlong(int node, Death death) {
        if (death.isFalse()) {
            passedWhenSuspected.put(node, MomentWatch.passages(node(node)));
        }
    }

    /** All nodes of a zone have died. */
    void zoneDied(Death death) {
        windows.hit(death.isFalse() ? Windows.ZONE_SUSPECTED : Windows.ZONE_LOST);
    }

    private void count(Entry entry) {
        int living = 0;
        int arrived = 0;
        boolean undecided = false;
        boolean torn = false;
        int without = RecoveryWatch.NO_NODE;
        int with = RecoveryWatch.NO_NODE;
        for (int i = 0; i < entry.copies(); i++) {
            if (group.isStopped(entry.backup(i)) || entry.isLapped(i)) {
                continue;
            }
            living++;
            undecided |= entry.isUndecided(i);
            torn |= entry.isTorn(i);
            if (entry.isIn(i)) {
                arrived++;
                with = entry.backup(i);
            } else {
                without = entry.backup(i);
            }
        }
        if (without != RecoveryWatch.NO_NODE) {
            lacking = without;
            having = with;
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

    /** A death was noticed. */
    void noticed() {
        unnoticed--;
    }

    /** A node that was counted as dead, and lived, is about to begin another incarnation. */
    void suspectedEnds(int node) {
        if (MomentWatch.passages(node(node)) > passedWhenSuspected.remove(node)) {
            windows.hit(Windows.SUSPECTED_GOES_ON);
        }
    }

    private Node node(int id) {
        return group.nodes().get(id);
    }

    // ---- returns ---------------------------------------------------------------------------------------------------

    /** A node begins another incarnation. */
    void returns(int node, boolean isNoticed) {
        if (!isNoticed) {
            windows.hit(Windows.BACK_UNNOTICED);
        }
        returned.set(node);
    }

    /** A node takes part again. */
    void joined(int node) {
        windows.hit(Windows.REJOINED);
        if (rejoined.get(node)) {
            windows.hit(Windows.REJOINED_AGAIN);
        }
        rejoined.set(node);
    }

    // ---- reports of the nodes that are left -----------------------------------------------------------------------

    /** The nodes begin from the start: their reports do not count any more. */
    void freezes() {
        reports.clear();
    }

    void reported(int node, LogReport report) {
        reports.put(node, report);
    }

    /** All nodes that are left have reported. */
    void replays() {
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

    // ---- links -----------------------------------------------------------------------------------------------------

    void cut() {
        if (progress.current() != null) {
            windows.hit(Windows.CUT_IN_FAILOVER);
        }
    }

    void healed() {
        if (group.isAnyLocked()) {
            windows.hit(Windows.HEALED_WITH_LOCKS);
        }
    }
}
