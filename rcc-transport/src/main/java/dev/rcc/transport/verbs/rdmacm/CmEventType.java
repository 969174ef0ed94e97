package dev.rcc.transport.verbs.rdmacm;

/** The types of the connection manager's events. */
public enum CmEventType {
    /** The address was turned into a device and a port. */
    ADDR_RESOLVED(0, false, "the address was resolved"),
    /** The address could not be resolved. */
    ADDR_ERROR(1, true, "the address could not be resolved: no RDMA device leads there, or no host answers at it"),
    /** The route to the address is known. */
    ROUTE_RESOLVED(2, false, "the route was resolved"),
    /** There is no route to the address. */
    ROUTE_ERROR(3, true, "there is no route to it"),
    /** A peer wants to connect. */
    CONNECT_REQUEST(4, false, "a connection was asked for"),
    /** The peer has accepted, and its queue pair waits for the local one. */
    CONNECT_RESPONSE(5, false, "the connection was accepted"),
    /** The connection failed while it was being made. */
    CONNECT_ERROR(6, true, "the connection failed while it was made"),
    /** No answer came. */
    UNREACHABLE(7, true, "the peer does not answer"),
    /** The peer has rejected the connection. */
    REJECTED(8, true, "the connection was rejected: no process listens on that port, or the listener refused it"),
    /** The connection is established. */
    ESTABLISHED(9, false, "the connection is established"),
    /** The connection is over. */
    DISCONNECTED(10, false, "the connection was closed"),
    /** The device was removed. */
    DEVICE_REMOVAL(11, true, "the RDMA device was removed"),
    /** A multicast group was joined. */
    MULTICAST_JOIN(12, false, "the multicast group was joined"),
    /** A multicast group could not be joined. */
    MULTICAST_ERROR(13, true, "the multicast group could not be joined"),
    /** The interface has another address now. */
    ADDR_CHANGE(14, false, "the interface's address changed"),
    /** The number of a closed connection's queue pair may be used again. */
    TIMEWAIT_EXIT(15, false, "the closed connection has timed out");

    private static final CmEventType[] TYPES = values();

    private final int code;
    private final boolean isFailure;
    private final String text;

    CmEventType(int code, boolean isFailure, String text) {
        this.code = code;
        this.isFailure = isFailure;
        this.text = text;
    }

    /**
     * The type with this number in the library's interface.
     *
     * @throws IllegalArgumentException when there is none
     */
    public static CmEventType of(int code) {
        for (CmEventType type : TYPES) {
            if (type.code == code) {
                return type;
            }
        }
        throw new IllegalArgumentException("the connection manager sent an event of unknown type " + code);
    }

    /** Its number in the library's interface. */
    public int code() {
        return code;
    }

    /** Whether the event is a failure, after which no connection will be made. */
    public boolean isFailure() {
        return isFailure;
    }

    /** The event in words. */
    public String text() {
        return text;
    }
}
