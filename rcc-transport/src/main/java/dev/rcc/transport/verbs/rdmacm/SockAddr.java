package dev.rcc.transport.verbs.rdmacm;

import dev.rcc.transport.verbs.ibv.Raw;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * An IP address and a port.
 *
 * <pre>{@code
 * struct sockaddr_in {                       struct sockaddr_in6 {
 *     sa_family_t sin_family;                    sa_family_t sin6_family;
 *     in_port_t sin_port;                        in_port_t sin6_port;
 *     struct in_addr sin_addr;                   uint32_t sin6_flowinfo;
 *     unsigned char sin_zero[8];                 struct in6_addr sin6_addr;
 * };                                             uint32_t sin6_scope_id;
 *                                            };
 * }</pre>
 */
public final class SockAddr {
    /** Size of a {@code sockaddr_in} in bytes. */
    public static final int IN_BYTES = 16;
    /** Size of a {@code sockaddr_in6} in bytes. */
    public static final int IN6_BYTES = 28;
    /** Offset of {@code sin_family} and {@code sin6_family}. */
    public static final int FAMILY = 0;
    /** Offset of {@code sin_port} and {@code sin6_port}. */
    public static final int PORT = 2;
    /** Offset of {@code sin_addr}. */
    public static final int IN_ADDR = 4;
    /** Offset of {@code sin6_addr}. */
    public static final int IN6_ADDR = 8;
    /** Offset of {@code sin6_scope_id}. */
    public static final int IN6_SCOPE_ID = 24;
    /** The family of a {@code sockaddr_in}. */
    public static final int AF_INET = 2;
    /** The family of a {@code sockaddr_in6}. */
    public static final int AF_INET6 = 10;

    private static final int IN_ADDR_BYTES = 4;
    private static final int IN6_ADDR_BYTES = 16;
    private static final ValueLayout.OfShort NETWORK_SHORT = ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);

    private SockAddr() {}

    /**
     * Writes an address to native memory.
     *
     * @throws IllegalArgumentException when it is a name that was not resolved
     */
    public static MemorySegment allocate(Arena arena, InetSocketAddress address) {
        InetAddress ip = address.getAddress();
        if (ip == null) {
            throw new IllegalArgumentException("the host name " + address.getHostString() + " is not known");
        }
        boolean isIn6 = ip instanceof Inet6Address;
        MemorySegment segment = arena.allocate(isIn6 ? IN6_BYTES : IN_BYTES, Long.BYTES);
        segment.set(ValueLayout.JAVA_SHORT, FAMILY, (short) (isIn6 ? AF_INET6 : AF_INET));
        segment.set(NETWORK_SHORT, PORT, (short) address.getPort());
        MemorySegment bytes = MemorySegment.ofArray(ip.getAddress());
        segment.asSlice(isIn6 ? IN6_ADDR : IN_ADDR).copyFrom(bytes);
        if (ip instanceof Inet6Address in6) {
            segment.set(ValueLayout.JAVA_INT, IN6_SCOPE_ID, in6.getScopeId());
        }
        return segment;
    }

    /** Reads the address at {@code sockaddr}; null if there is none, or it is of another family. */
    public static InetSocketAddress read(long sockaddr) {
        int family = Raw.getShort(sockaddr, FAMILY);
        if (family != AF_INET && family != AF_INET6) {
            return null;
        }
        boolean isIn6 = family == AF_INET6;
        byte[] bytes = Raw.segment(sockaddr + (isIn6 ? IN6_ADDR : IN_ADDR), isIn6 ? IN6_ADDR_BYTES : IN_ADDR_BYTES)
                .toArray(ValueLayout.JAVA_BYTE);
        int port = Raw.getByte(sockaddr, PORT) << Byte.SIZE | Raw.getByte(sockaddr, PORT + 1);
        return new InetSocketAddress(inetAddress(bytes, isIn6 ? Raw.getInt(sockaddr, IN6_SCOPE_ID) : 0), port);
    }

    private static InetAddress inetAddress(byte[] bytes, int scope) {
        try {
            return bytes.length == IN_ADDR_BYTES || scope == 0
                    ? InetAddress.getByAddress(bytes)
                    : Inet6Address.getByAddress(null, bytes, scope);
        } catch (UnknownHostException e) {
            throw new AssertionError("an address of " + bytes.length + " bytes: " + Arrays.toString(bytes), e);
        }
    }

    /** Whether this is the wildcard, which stands for all addresses of a host. */
    public static boolean isWildcard(InetSocketAddress address) {
        InetAddress ip = address.getAddress();
        return ip != null && (ip instanceof Inet4Address || ip instanceof Inet6Address) && ip.isAnyLocalAddress();
    }
}
