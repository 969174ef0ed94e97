package dev.rcc.transport.verbs.ibv;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The path from a local port to a remote port ({@code ibv_ah_attr}).
 *
 * @param localPort the local port, from 1
 * @param localGid the local port's global identifier
 * @param remoteLid the remote port's local identifier; 0 on Ethernet
 * @param remoteGidHigh first 8 bytes of the remote port's global identifier
 * @param remoteGidLow last 8 bytes of it
 * @param global whether to address by the global identifier: always on Ethernet, on InfiniBand only across subnets
 * @param trafficClass the packets' traffic class (DSCP and ECN bits), 0 to 255
 * @param serviceLevel the packets' service level, 0 to 15
 */
public record PortPath(
        int localPort,
        Gid localGid,
        int remoteLid,
        long remoteGidHigh,
        long remoteGidLow,
        boolean global,
        int trafficClass,
        int serviceLevel) {
    private static final int HOP_LIMIT = 64;
    private static final ValueLayout.OfLong NETWORK_ORDER = ValueLayout.JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN);

    void write(long ahAttr) {
        VerbsDevice.checkPort(localPort);
        if (global) {
            Raw.segment(ahAttr, AhAttrLayout.BYTES).set(NETWORK_ORDER, AhAttrLayout.DGID, remoteGidHigh);
            Raw.segment(ahAttr, AhAttrLayout.BYTES).set(NETWORK_ORDER, AhAttrLayout.DGID + Long.BYTES, remoteGidLow);
            Raw.putByte(ahAttr, AhAttrLayout.SGID_INDEX, localGid.index());
            Raw.putByte(ahAttr, AhAttrLayout.HOP_LIMIT, HOP_LIMIT);
            Raw.putByte(ahAttr, AhAttrLayout.TRAFFIC_CLASS, trafficClass);
            Raw.putByte(ahAttr, AhAttrLayout.IS_GLOBAL, 1);
        }
        Raw.putShort(ahAttr, AhAttrLayout.DLID, remoteLid);
        Raw.putByte(ahAttr, AhAttrLayout.SL, serviceLevel);
        Raw.putByte(ahAttr, AhAttrLayout.PORT_NUM, localPort);
    }
}
