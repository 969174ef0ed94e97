package dev.rcc.client.wire;

/** The numbers that both sides of a connection agree on. The page {@code docs/wire-protocol.md} lists them. */
public final class Wire {
    /** The first four bytes of a hello: "RCC" and a zero. */
    public static final int MAGIC = 0x52434300;

    /** The latest version of the protocol that this library speaks. */
    public static final int VERSION = 9;
    /** The earliest version that it speaks, with clients and gateways that have no later version. */
    public static final int MIN_VERSION = 1;
    /** From this version on gateways announce where partitions are. */
    public static final int PLACEMENT_VERSION = 2;
    /** From this version on gateways keep the outcome of a commit in the partition that its name contains. */
    public static final int OUTCOME_PARTITION_VERSION = 3;
    /** From this version on gateways understand patches. */
    public static final int PATCH_VERSION = 4;
    /** From this version on gateways report how full tables are beyond their capacity. */
    public static final int OVERFLOW_VERSION = 5;
    /** From this version on gateways describe tables with their attributes. */
    public static final int TABLE_ATTRIBUTES_VERSION = 5;
    /** From this version on gateways report how many workers their node has. */
    public static final int WORKERS_VERSION = 5;
    /** From this version on gateways serve locks. */
    public static final int LOCKS_VERSION = 6;
    /** From this version on gateways announce their zones. */
    public static final int ZONES_VERSION = 7;
    /** From this version on gateways scan in descending order, too. */
    public static final int DESCENDING_VERSION = 8;
    /** From this version on gateways carry out an operation that is a whole transaction. */
    public static final int AUTOCOMMIT_VERSION = 9;

    /** Bytes of a frame before its body: length, type and request. */
    public static final int HEADER_BYTES = 9;
    /** Bytes of the length field at a frame's beginning, which the length does not include. */
    public static final int LENGTH_BYTES = 4;
    /** Smallest length of a frame: type and request. */
    public static final int MIN_LENGTH = HEADER_BYTES - LENGTH_BYTES;

    /** Largest length of a frame that a client sends before the hello is answered. */
    public static final int HELLO_LENGTH_MAX = 4 * 1024;
    /** Largest length of the answer to a hello, which names the cluster's gateways. */
    public static final int WELCOME_LENGTH_MAX = 512 * 1024;
    /** Largest length of a frame that a gateway can be configured to accept. */
    public static final int LENGTH_MAX = 16 * 1024 * 1024;

    /** Longest text in a message, in bytes of UTF-8. */
    public static final int TEXT_BYTES_MAX = 2 * 1024;
    /** Longest token that authenticates a client, in characters. */
    public static final int TOKEN_CHARACTERS_MAX = TEXT_BYTES_MAX / 4;
    /** Largest record, in bytes. */
    public static final int RECORD_BYTES_MAX = 64 * 1024;
    /** Largest argument or result of a stored procedure, in bytes. */
    public static final int DATA_BYTES_MAX = 512 * 1024;
    /** Longest name of a lock, in bytes of UTF-8. */
    public static final int LOCK_NAME_BYTES_MAX = 64;
    /** Most tables in a catalogue. */
    public static final int TABLES_MAX = 1024;
    /** Longest value of a table's attribute, in bytes. */
    public static final int ATTRIBUTE_BYTES_MAX = 2 * 1024;
    /** Most members of a cluster. */
    public static final int MEMBERS_MAX = 1024;
    /** Most partitions of a cluster. */
    public static final int PARTITIONS_MAX = 1024;

    private Wire() {}
}
