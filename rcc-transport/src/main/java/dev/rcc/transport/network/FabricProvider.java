package dev.rcc.transport.network;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionValues;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.transport.control.Control;
import dev.rcc.transport.control.LinkFaults;
import dev.rcc.transport.control.TlsOptions;
import java.util.List;
import java.util.Optional;

/** A network between nodes that have a process each, with the values of its options. Immutable. */
public interface FabricProvider {
    /** The name by which users choose it; lower case. */
    String name();

    /** Its options. Each key begins with the network's name and a dot. */
    List<Option> options();

    /**
     * The same network with these values. TLS and faults are what they are by default.
     *
     * @param values has the network's options, and may have others
     * @throws IllegalArgumentException for values that the network cannot use, with the key, what was given and what is allowed
     */
    FabricProvider with(OptionValues values);

    /** The same network with proof of identity and encryption. A network that carries no bytes over sockets has no use for it. */
    default FabricProvider withTls(TlsOptions tls) {
        return this;
    }

    /** The same network on slower links, or nothing where links cannot be slowed down. */
    default Optional<FabricProvider> withFaults(LinkFaults faults) {
        return Optional.empty();
    }

    /**
     * The same network as the slower one of two that nodes are on, or nothing if it cannot be that. What its attachments reach was registered on the
     * faster one ({@link Fabric#adopt}). Workers spin for what completes there before they sleep in this one.
     */
    default Optional<FabricProvider> asSlower() {
        return Optional.empty();
    }

    /**
     * What remote atomics are atomic against.
     *
     * @throws RuntimeException if that depends on a device and there is none
     */
    Atomicity atomicity();

    /**
     * How the stages of a protocol communicate unless a server's configuration says otherwise. One-sided where a peer's memory is reached
     * past the peer's threads; by RPC where threads of the peer carry out one-sided operations, too, which then cost it more than calls.
     */
    default Primitive suitable() {
        return Primitive.ONE_SIDED;
    }

    /**
     * Attaches a node.
     *
     * @param control of the node; it has not been started, and its owner closes it
     */
    Fabric attach(Control control);

    /** The option with the name or address at which a node takes data connections, or nothing on a network without such. */
    default Optional<Option> hostOption() {
        return Optional.empty();
    }

    /** The option with the name of what the cluster's nodes share on their host, or nothing where they share nothing. */
    default Optional<Option> sharedNameOption() {
        return Optional.empty();
    }

    /** Whether a node ends the process of a peer that it cuts off, as it cannot take the memory out of its hands otherwise. */
    default boolean fencesByKilling() {
        return false;
    }

    /**
     * Whether the memory of a region is taken from the host when it is registered, all of it. Otherwise what is not touched costs nothing, and
     * tables may reserve room that they perhaps never need.
     */
    default boolean takesMemoryAtOnce() {
        return false;
    }

    /** Removes what killed nodes have left on this host under the {@link #sharedNameOption shared name}. */
    default void removeLeft() {}
}
