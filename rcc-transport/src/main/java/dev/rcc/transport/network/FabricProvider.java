package dev.rcc.transport.network;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionValues;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.transport.control.Control;
import dev.rcc.transport.control.LinkFaults;
import dev.rcc.transport.control.TlsOptions;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/** A network between nodes that have a process each, with the values of its options. Immutable. */
public interface FabricProvider {
    /** The name by which users choose it; lower case. */
    String name();

    /** Its options. Each key begins with the network's name and a dot. */
    List<Option> options();

    /**
     * The same network with these values. TLS and faults have their defaults.
     *
     * @param values has the network's options, and may have others
     * @throws IllegalArgumentException for values that the network cannot use, with the key, what was given and what is allowed
     */
    FabricProvider with(OptionValues values);

    /** The same network with proof of identity and encryption. A network that carries no bytes over sockets ignores it. */
    default FabricProvider withTls(TlsOptions tls) {
        return this;
    }

    /** The same network on slower links, or empty where links cannot be slowed down. */
    default Optional<FabricProvider> withFaults(LinkFaults faults) {
        return Optional.empty();
    }

    /**
     * The same network as the slower one of two that nodes are on, or empty if it cannot be that. The memory that its attachments reach was
     * registered on the faster one ({@link Fabric#adopt}). Workers spin for completions of the faster one before they sleep in this one.
     */
    default Optional<FabricProvider> asSlower() {
        return Optional.empty();
    }

    /**
     * The operations against which remote atomics are atomic.
     *
     * @throws RuntimeException if that depends on a device and there is none
     */
    Atomicity atomicity();

    /**
     * How the stages of a protocol communicate unless a server's configuration sets another way. One-sided where a peer's memory is reached without
     * the peer's threads; by RPC where threads of the peer carry out one-sided operations, too, which then cost the peer more than calls.
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

    /** The option with the name or address at which a node takes data connections, or empty on a network without such connections. */
    default Optional<Option> hostOption() {
        return Optional.empty();
    }

    /** The address at which a node takes data connections, or empty on a network without such connections; port 0 is any port. */
    default Optional<InetSocketAddress> dataAddress() {
        return Optional.empty();
    }

    /** The option with the name of the resources that the cluster's nodes share on their host, or empty where they share none. */
    default Optional<Option> sharedNameOption() {
        return Optional.empty();
    }

    /** Whether a node ends the process of a peer that it cuts off, as it cannot take the memory away from it otherwise. */
    default boolean fencesByKilling() {
        return false;
    }

    /**
     * Whether the memory of a region is taken from the host when it is registered, all of it. Otherwise untouched memory costs nothing, and tables
     * may reserve room that they perhaps never need.
     */
    default boolean takesMemoryAtOnce() {
        return false;
    }

    /** Removes the resources that killed nodes have left on this host under the {@link #sharedNameOption shared name}. */
    default void removeLeft() {}
}
