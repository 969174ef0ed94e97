package dev.rcc.server.recovery;

import java.util.List;

/** The steps of a {@link Reconfiguration}, in the order in which they are taken. */
public enum RecoveryStep {
    /** See {@link RecoverySteps#freeze}. */
    FREEZE("freeze"),
    /** See {@link RecoverySteps#settle}. */
    SETTLE("settle"),
    /** See {@link RecoverySteps#report}. */
    REPORT("report"),
    /** See {@link RecoverySteps#replay}. */
    REPLAY("replay"),
    /** See {@link RecoverySteps#welcome}. */
    WELCOME("welcome"),
    /** See {@link RecoverySteps#copy}. */
    COPY("copy"),
    /** See {@link RecoverySteps#install}. */
    INSTALL("install"),
    /** See {@link RecoverySteps#save}. */
    SAVE("save"),
    /** See {@link NodeRecovery#resume}. */
    RESUME("resume");

    /** The steps that take lost nodes out of a cluster that keeps its data in memory: {@link #SAVE} is among them, and takes no time. */
    public static final List<RecoveryStep> TO_LOSE = List.of(FREEZE, SETTLE, REPORT, REPLAY, INSTALL, SAVE, RESUME);

    /** The steps that take time when a node is taken into a cluster that keeps its data in memory. */
    public static final List<RecoveryStep> TO_JOIN = List.of(FREEZE, SETTLE, REPLAY, WELCOME, COPY, INSTALL, RESUME);

    private final String label;

    RecoveryStep(String label) {
        this.label = label;
    }

    @Override
    public String toString() {
        return label;
    }
}
