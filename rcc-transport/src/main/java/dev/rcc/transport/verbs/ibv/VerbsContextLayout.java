package dev.rcc.transport.verbs.ibv;

/**
 * The struct around an open device's {@link ContextLayout context} in the library: newer operations lie before the context.
 *
 * <pre>{@code
 * struct verbs_context {
 *     ... operations, newer ones first ...
 *     size_t sz;                     // of all this, so a larger offset from the end may be missing
 *     struct ibv_context context;
 * };
 * }</pre>
 */
public final class VerbsContextLayout {
    /** Size in bytes. */
    public static final int BYTES = 648;
    /** Offset of {@code sz}. */
    public static final int SZ = 312;
    /** Offset of {@code context}. */
    public static final int CONTEXT = 320;

    /** The least possible {@code sz}: with no operations at all. */
    public static final int BYTES_MIN = ContextLayout.BYTES + Long.BYTES;
    /** More than {@code sz} will be for a long time; a greater value is no size. */
    public static final int BYTES_MAX = 8 * BYTES;

    private VerbsContextLayout() {}
}
