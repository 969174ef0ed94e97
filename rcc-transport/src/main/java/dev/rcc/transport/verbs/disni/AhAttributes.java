package dev.rcc.transport.verbs.disni;

import com.ibm.disni.verbs.IbvAhAttr;
import com.ibm.disni.verbs.IbvGlobalRoute;
import dev.rcc.transport.verbs.ibv.Gid;
import java.nio.ByteBuffer;

/** The path to a remote port; DiSNI's own class cannot be constructed. */
public final class AhAttributes extends IbvAhAttr {
    private static final int GID_BYTES = 16;
    private static final byte HOP_LIMIT = 64;

    /** A path with all fields 0. */
    public AhAttributes() {
        super(new GlobalRoute());
    }

    /** The path by global identifiers from a local port's {@code own} to {@code remote}; RoCE has only such paths. */
    public AhAttributes(int localPort, Gid own, Gid remote) {
        this();
        getGrh().setDgid(ByteBuffer.allocate(GID_BYTES)
                .putLong(remote.high())
                .putLong(remote.low())
                .array());
        getGrh().setSgid_index((byte) own.index());
        getGrh().setHop_limit(HOP_LIMIT);
        setIs_global((byte) 1);
        setPort_num((byte) localPort);
    }

    private static final class GlobalRoute extends IbvGlobalRoute {}
}
