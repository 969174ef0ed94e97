package dev.rcc.transport.verbs.disni;

import com.ibm.disni.verbs.RdmaCmEvent;
import dev.rcc.transport.verbs.ibv.Raw;
import dev.rcc.transport.verbs.rdmacm.CmEventLayout;
import dev.rcc.transport.verbs.rdmacm.CmEventType;
import dev.rcc.transport.verbs.rdmacm.ConnParamLayout;
import dev.rcc.transport.verbs.rdmacm.UdParamLayout;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * An event of the connection manager, as a copy, so that the event is acknowledged at once and cannot delay the closing of its id.
 *
 * <p>Of all failures of a connection, DiSNI's endpoints handle only that it was closed, and wait for ever
 * otherwise. So they get that event for every failure; {@link #type} is the original type.
 */
final class CmEvent extends RdmaCmEvent {
    private final CmEventType type;
    private final MemorySegment param;
    private final MemorySegment privateData;

    CmEvent(CmEventType type, long event, CmId listenId, CmId id, boolean isForDatagrams) throws IOException {
        super(type.isFailure() ? CmEventType.DISCONNECTED.code() : type.code(), listenId, id);
        this.type = type;
        this.status = Raw.getInt(event, CmEventLayout.STATUS);
        this.param = copy(event + CmEventLayout.PARAM, CmEventLayout.BYTES - CmEventLayout.PARAM);
        // Both kinds of parameters begin with the private data.
        long length = Raw.getByte(param.address(), ConnParamLayout.PRIVATE_DATA_LEN);
        long data = Raw.getLong(param.address(), ConnParamLayout.PRIVATE_DATA);
        this.privateData = data == 0 || length == 0 ? MemorySegment.NULL : copy(data, length);
        conn.setPrivate_data(privateData.address());
        conn.setPrivate_data_len((byte) privateData.byteSize());
        if (!isForDatagrams) {
            conn.setRetry_count((byte) Raw.getByte(param.address(), ConnParamLayout.RETRY_COUNT));
            conn.setRnr_retry_count((byte) Raw.getByte(param.address(), ConnParamLayout.RNR_RETRY_COUNT));
        }
    }

    private static MemorySegment copy(long address, long bytes) {
        return Arena.ofAuto().allocate(bytes, Long.BYTES).copyFrom(Raw.segment(address, bytes));
    }

    /** The original type of the event. */
    CmEventType type() {
        return type;
    }

    /** The private data that came with the event, for the listener. */
    MemorySegment privateData() {
        return privateData;
    }

    /** Address of the path to the peer's queue pair, an {@code ibv_ah_attr}. */
    long ahAttr() {
        return param.address() + UdParamLayout.AH_ATTR;
    }

    int remoteQueuePair() {
        return Raw.getInt(param.address(), UdParamLayout.QP_NUM);
    }

    int remoteQkey() {
        return Raw.getInt(param.address(), UdParamLayout.QKEY);
    }
}
