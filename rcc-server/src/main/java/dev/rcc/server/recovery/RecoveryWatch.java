package dev.rcc.server.recovery;

import dev.rcc.core.replication.LogReport;

/** Sees how far each node is in a {@link Reconfiguration}: what a simulation counts, and times its faults by. */
public interface RecoveryWatch {
    /** Stands for no node. */
    int NO_NODE = -1;

    /** Sees nothing. */
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
     * The nodes begin to go to another configuration.
     *
     * @param joiner the node that is taken in, or {@link #NO_NODE}
     */
    void begins(int joiner);

    /** A node that was taken in goes on with the others. */
    void joined(int node);

    /** A node begins a step. */
    void began(RecoveryStep step);

    /** A node has taken a step. */
    void ended(RecoveryStep step);

    /** What a node knows of lost coordinators. */
    void reported(int node, LogReport report);
}
