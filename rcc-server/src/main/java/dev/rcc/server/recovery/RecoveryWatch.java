package dev.rcc.server.recovery;

import dev.rcc.core.replication.LogReport;

/** Observes each node's progress in a {@link Reconfiguration}: a simulation counts the steps, and times its faults by them. */
public interface RecoveryWatch {
    /** Stands for no node. */
    int NO_NODE = -1;

    /** Ignores everything. */
    RecoveryWatch NONE = new RecoveryWatch() {
        @Override
        public void began(RecoveryStep step) {}

        @Override
        public void ended(RecoveryStep step) {}

        @Override
        public void reported(int node, LogReport report) {}

        @Override
        public void begins(int joiner) {}

        @Override
        public void joined(int node) {}
    };

    /**
     * The nodes begin to change to another configuration.
     *
     * @param joiner the node that is taken in, or {@link #NO_NODE}
     */
    void begins(int joiner);

    /** A node that was taken in goes on with the other nodes. */
    void joined(int node);

    /** A node begins a step. */
    void began(RecoveryStep step);

    /** A node has taken a step. */
    void ended(RecoveryStep step);

    /** A node reports on lost coordinators. */
    void reported(int node, LogReport report);
}
