package dev.rcc.transport.verbs.ibv;

/**
 * A protection domain.
 *
 * <pre>{@code
 * struct ibv_pd {
 *     struct ibv_context *context;
 *     uint32_t handle;
 * };
 * }</pre>
 */
public final class PdLayout {
    /** Size in bytes. */
    public static final int BYTES = 16;
    /** Offset of {@code context}. */
    public static final int CONTEXT = 0;
    /** Offset of {@code handle}. */
    public static final int HANDLE = 8;

    private PdLayout() {}
}
