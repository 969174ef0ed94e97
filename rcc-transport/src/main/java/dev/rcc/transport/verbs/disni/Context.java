package dev.rcc.transport.verbs.disni;

import com.ibm.disni.verbs.IbvContext;
import dev.rcc.transport.verbs.ibv.ContextLayout;
import dev.rcc.transport.verbs.ibv.Raw;
import dev.rcc.transport.verbs.ibv.VerbsDevice;
import java.io.IOException;

/** A device that the connection manager has opened. One object for each device, as DiSNI uses contexts as keys. */
final class Context extends IbvContext {
    private final VerbsDevice device;

    Context(VerbsDevice device) throws IOException {
        super(
                Raw.getInt(device.address(), ContextLayout.CMD_FD),
                Raw.getInt(device.address(), ContextLayout.NUM_COMP_VECTORS));
        this.device = device;
    }

    VerbsDevice device() {
        return device;
    }
}
