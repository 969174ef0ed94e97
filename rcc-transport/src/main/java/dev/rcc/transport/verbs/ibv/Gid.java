package dev.rcc.transport.verbs.ibv;

/**
 * A global identifier: one of a port's addresses.
 *
 * @param index its index in the port's table, which is valid on its own node only
 * @param high its first 8 bytes
 * @param low its last 8 bytes
 * @param kind the kind of packets that use it
 */
public record Gid(int index, long high, long low, Kind kind) {
    private static final int MAPPED_SHIFT = 32;
    private static final long MAPPED_PREFIX = 0xFFFF;
    private static final int BYTE_MASK = 0xFF;
    private static final int GROUP_MASK = 0xFFFF;
    private static final int GROUP_BITS = 16;

    /** Kinds of packets. */
    public enum Kind {
        /** InfiniBand, or RoCE without IP, which no router forwards. */
        IB_OR_ROCE_V1,
        /** RoCE in UDP over IP. */
        ROCE_V2
    }

    /** Whether it stands for an IPv4 address. */
    public boolean isIpv4() {
        return high == 0 && low >>> MAPPED_SHIFT == MAPPED_PREFIX;
    }

    /** The identifier as an IPv4 address if it is one, else as eight groups of hexadecimal digits. */
    @Override
    public String toString() {
        if (isIpv4()) {
            int ip = (int) low;
            return (ip >>> 24) + "." + (ip >>> 16 & BYTE_MASK) + "." + (ip >>> 8 & BYTE_MASK) + "." + (ip & BYTE_MASK);
        }
        StringBuilder text = new StringBuilder();
        for (int shift = Long.SIZE - GROUP_BITS; shift >= 0; shift -= GROUP_BITS) {
            text.append(Integer.toHexString((int) (high >>> shift) & GROUP_MASK))
                    .append(':');
        }
        for (int shift = Long.SIZE - GROUP_BITS; shift >= 0; shift -= GROUP_BITS) {
            text.append(Integer.toHexString((int) (low >>> shift) & GROUP_MASK)).append(shift == 0 ? "" : ":");
        }
        return text.toString();
    }
}
