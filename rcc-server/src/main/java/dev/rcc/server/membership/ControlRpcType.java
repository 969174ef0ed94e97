package dev.rcc.server.membership;

import dev.rcc.transport.control.Control;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerRpc;
import org.apache.ratis.server.ServerFactory;

/** Makes a group's members talk over the control channel. Public because Ratis makes one by its name. */
public final class ControlRpcType implements RpcType {
    private static final String CONTROL = "rcc.control";

    /** Called by Ratis. */
    public ControlRpcType() {}

    /** What a server made with this type has to know. */
    static Parameters parameters(Control control) {
        Parameters parameters = new Parameters();
        parameters.put(CONTROL, control, Control.class);
        return parameters;
    }

    @Override
    public String name() {
        return ControlRpcType.class.getName();
    }

    @Override
    public RpcFactory newFactory(Parameters parameters) {
        Control control = parameters.getNonNull(CONTROL, Control.class);
        return new ServerFactory() {
            @Override
            public RpcType getRpcType() {
                return ControlRpcType.this;
            }

            @Override
            public RaftServerRpc newRaftServerRpc(RaftServer server) {
                return new ControlRpc(server, control, ControlRpcType.this);
            }
        };
    }
}
