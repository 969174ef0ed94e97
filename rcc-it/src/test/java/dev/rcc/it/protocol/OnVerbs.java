package dev.rcc.it.protocol;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.fabric.Fabric;
import dev.rcc.server.NetworkChoice;
import dev.rcc.transport.control.Control;
import dev.rcc.transport.verbs.VerbsFabric;
import dev.rcc.transport.verbs.VerbsOptions;

/** The protocols on an RDMA device. */
interface OnVerbs extends OnNetwork {
    /** The first device. */
    NetworkChoice VERBS = new NetworkChoice() {
        @Override
        public String name() {
            return "verbs";
        }

        @Override
        public Atomicity atomicity() {
            return VerbsFabric.atomicity(VerbsOptions.DEFAULT);
        }

        @Override
        public Fabric attach(Control control) {
            return new VerbsFabric(control, VerbsOptions.DEFAULT);
        }
    };

    @Override
    default NetworkChoice network() {
        return VERBS;
    }
}
