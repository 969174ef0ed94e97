package dev.rcc.transport.verbs.rpc;

import dev.rcc.transport.PeerGates;
import dev.rcc.transport.verbs.ibv.Gid;
import dev.rcc.transport.verbs.ibv.PortAttributes;
import dev.rcc.transport.verbs.ibv.ProtectionDomain;
import dev.rcc.transport.verbs.ibv.VerbsDevice;

/**
 * The data and device objects that carrying calls needs.
 *
 * @param node the own node
 * @param incarnation the own node's incarnation
 * @param nodes the number of nodes
 * @param gates decide which incarnations of the peers may call this node
 * @param device the device
 * @param port its port, from 1
 * @param portAttributes the port's attributes
 * @param gid the own global identifier
 * @param pd the domain of the regions and queue pairs
 * @param timeoutMillis the least time after which a call may fail if its request or reply was lost
 * @param trafficClass the packets' traffic class
 * @param serviceLevel the packets' service level
 * @param whenBroken receives connections that broke, so that the link is made anew
 */
public record RpcSetting(
        int node,
        long incarnation,
        int nodes,
        PeerGates gates,
        VerbsDevice device,
        int port,
        PortAttributes portAttributes,
        Gid gid,
        ProtectionDomain pd,
        long timeoutMillis,
        int trafficClass,
        int serviceLevel,
        WhenBroken whenBroken) {
    /** Receives connections for calls that broke by themselves. */
    @FunctionalInterface
    public interface WhenBroken {
        /**
         * A connection broke. Called on its worker.
         *
         * @param link the number of the link that it belongs to
         */
        void broken(int peer, int link, int worker, String reason);
    }
}
