package dev.rcc.server;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.fabric.Fabric;
import dev.rcc.transport.control.Control;

/** A kind of network between nodes that have a process each, with its options. */
public interface NetworkChoice {
    /** The name by which users pick it. */
    String name();

    /** What remote atomics are atomic against there. */
    Atomicity atomicity();

    /** Attaches the control's node. The control has not been started, and is closed by whoever made it. */
    Fabric attach(Control control);
}
