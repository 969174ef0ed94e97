package dev.rcc.transport.verbs.rpc;

import dev.rcc.transport.PeerGates;
import dev.rcc.transport.verbs.ibv.Gid;
import dev.rcc.transport.verbs.ibv.PortAttributes;
import dev.rcc.transport.verbs.ibv.ProtectionDomain;
import dev.rcc.transport.verbs.ibv.VerbsDevice;

/**
 * What calls can be carried with.
 *
 * @param node the own node
 * @param incarnation tells the incarnations of the own node apart
 * @param nodes how many nodes there are
 * @param gates which incarnations of the peers may call this node
 * @param device the device
 * @param port its port, from 1
 * @param portAttributes what the port says of itself
 * @param gid the own global identifier
 * @param pd the domain of the regions and queue pairs
 * @param timeoutMillis after how long a call whose request or reply was lost may fail at the earliest
 * @param trafficClass the packets' traffic class
 * @param serviceLevel the packets' service level
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
        int serviceLevel) {}
