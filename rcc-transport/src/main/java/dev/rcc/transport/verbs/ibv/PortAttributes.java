package dev.rcc.transport.verbs.ibv;

/**
 * The attributes of a port.
 *
 * @param active whether it can carry data
 * @param activeMtuBytes largest packet's payload in the present configuration of the network
 * @param lid its local identifier; 0 on Ethernet
 * @param gidCount length of its table of global identifiers
 * @param ethernet whether the link is Ethernet (RoCE), where every path is a global one; else InfiniBand
 * @param messageBytesMax most bytes of one request
 */
public record PortAttributes(
        boolean active, int activeMtuBytes, int lid, int gidCount, boolean ethernet, int messageBytesMax) {
    private static final int STATE_ACTIVE = 4;
    private static final int LINK_LAYER_ETHERNET = 2;

    static PortAttributes read(long attributes) {
        int messageBytes = Raw.getInt(attributes, PortAttrLayout.MAX_MSG_SZ); // unsigned
        return new PortAttributes(
                Raw.getInt(attributes, PortAttrLayout.STATE) == STATE_ACTIVE,
                Mtu.bytes(Raw.getInt(attributes, PortAttrLayout.ACTIVE_MTU)),
                Raw.getShort(attributes, PortAttrLayout.LID),
                Raw.getInt(attributes, PortAttrLayout.GID_TBL_LEN),
                Raw.getByte(attributes, PortAttrLayout.LINK_LAYER) == LINK_LAYER_ETHERNET,
                messageBytes <= 0 ? Integer.MAX_VALUE : messageBytes);
    }
}
