package dev.rcc.transport.verbs.ibv;

/**
 * A piece of local memory that a work request reads or writes.
 *
 * <pre>{@code
 * struct ibv_sge {
 *     uint64_t addr;
 *     uint32_t length;
 *     uint32_t lkey;
 * };
 * }</pre>
 */
public final class SgeLayout {
    /** Size in bytes. */
    public static final int BYTES = 16;
    /** Offset of {@code addr}. */
    public static final int ADDR = 0;
    /** Offset of {@code length}. */
    public static final int LENGTH = 8;
    /** Offset of {@code lkey}. */
    public static final int LKEY = 12;

    private SgeLayout() {}
}
