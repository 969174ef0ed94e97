package dev.rcc.server;

/** A step of a {@link Reconfiguration}, in the order in which they are taken. */
public enum RecoveryStep {
    /** See {@link RecoverySteps#freeze}. */
    FREEZE("freeze"),
    /** See {@link RecoverySteps#settle}. */
    SETTLE("settle"),
    /** See {@link RecoverySteps#report}. */
    REPORT("report"),
    /** See {@link RecoverySteps#replay}. */
    REPLAY("replay"),
    /** See {@link RecoverySteps#install}. */
    INSTALL("install"),
    /** See {@link RecoverySteps#save}. */
    SAVE("save"),
    /** See {@link NodeRecovery#resume}. */
    RESUME("resume");

    private final String label;

    RecoveryStep(String label) {
        this.label = label;
    }

    @Override
    public String toString() {
        return label;
    }
}
