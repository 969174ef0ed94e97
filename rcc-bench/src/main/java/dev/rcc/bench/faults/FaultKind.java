package dev.rcc.bench.faults;

import java.util.Arrays;
import java.util.List;

/** A kind of fault of a cluster's processes. Processes that are dead afterwards are started again. */
public enum FaultKind {
    /** A node is killed (SIGKILL). */
    KILL("kill", 2),
    /** A node is asked to end (SIGTERM). */
    TERM("term", 1),
    /** A node is stopped (SIGSTOP) for longer than the time after which it counts as dead, and goes on (SIGCONT). */
    STOP("stop", 1),
    /** A node is killed, and once more while it comes back. */
    KILL_AGAIN("kill-again", 2),
    /** Two nodes are killed, one shortly after the other. */
    KILL_TWO("double-kill", 4),
    /** A node is killed, and another one while the first comes back. */
    KILL_OTHER("kill-other", 3),
    /** All nodes are killed. */
    KILL_ALL("kill-all", 1),
    /** All nodes are killed, and the write-ahead log of one has lost its end when they are started again. */
    CUT_LOG("cut-log", 1);

    /** The copies of which one is left when two nodes are lost. */
    private static final int COPIES_FOR_TWO = 3;
    /** The copies of which a majority is left when two nodes are lost. */
    private static final int COPIES_FOR_MAJORITY = 5;

    private final String label;
    private final int weight;

    FaultKind(String label, int weight) {
        this.label = label;
        this.weight = weight;
    }

    /** The name of the kind. */
    public String label() {
        return label;
    }

    /** The weight in the draw, in proportion to the other kinds. */
    int weight() {
        return weight;
    }

    /** The kind with this label, which is one of {@link #labels}. */
    public static FaultKind ofLabel(String label) {
        return Arrays.stream(values())
                .filter(kind -> kind.label.equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no kind of fault '" + label + "'"));
    }

    /** All labels. */
    public static List<String> labels() {
        return Arrays.stream(values()).map(FaultKind::label).toList();
    }

    /**
     * Whether a cluster keeps all acknowledged writes, and goes on by itself once its nodes have been started again, as
     * docs/operations/fault-drills.md promises. After {@link #CUT_LOG} it may refuse to start until the file that is too short is back; its log
     * names the file. Under Raft, the entries are in other files, and a majority of the copies may need the one whose end is lost.
     */
    public boolean isSurvivedBy(ClusterShape shape) {
        if (this == KILL_ALL) {
            return shape.onDisk();
        }
        if (this == CUT_LOG) {
            return shape.onDisk() && shape.copies() >= COPIES_FOR_TWO && !shape.byMajority();
        }
        if (!shape.replaces()) {
            return false;
        }
        return switch (this) {
            case KILL_TWO, KILL_OTHER -> shape.nodes() > 2 && shape.copies() >= copiesForTwo(shape);
            default -> shape.copies() > 1;
        };
    }

    /** Without a majority the cluster goes on from the disks, if there are disks. */
    private static int copiesForTwo(ClusterShape shape) {
        return shape.byMajority() && !shape.onDisk() ? COPIES_FOR_MAJORITY : COPIES_FOR_TWO;
    }
}
