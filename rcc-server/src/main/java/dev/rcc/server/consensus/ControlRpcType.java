package dev.rcc.server.consensus;

import dev.rcc.transport.control.Control;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerRpc;
import org.apache.ratis.server.ServerFactory;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;

/** Makes a group's members talk over the control channel. Public because Ratis makes one by its name. */
public final class ControlRpcType implements RpcType {
    private static final String CONTROL = "rcc.control";
    private static final String CHANNEL = "rcc.channel";

    /** Where a server's messages go, and how a leader sends its entries. */
    private record Channel(String topic, boolean pipelined) {}

    /** Called by Ratis. */
    public ControlRpcType() {}

    /**
     * What a server made with this type has to know. Its owner {@linkplain ControlRpc#answer has it answer} the questions of the topic.
     *
     * @param topic of the control channel
     * @param pipelined whether a leader sends entries before the ones before were acknowledged: it is a round trip less for each, and
     *     more threads and memory
     */
    public static Parameters parameters(Control control, String topic, boolean pipelined) {
        Parameters parameters = new Parameters();
        parameters.put(CONTROL, control, Control.class);
        parameters.put(CHANNEL, new Channel(topic, pipelined), Channel.class);
        return parameters;
    }

    @Override
    public String name() {
        return ControlRpcType.class.getName();
    }

    @Override
    public RpcFactory newFactory(Parameters parameters) {
        Control control = parameters.getNonNull(CONTROL, Control.class);
        Channel channel = parameters.getNonNull(CHANNEL, Channel.class);
        return new ServerFactory() {
            @Override
            public RpcType getRpcType() {
                return ControlRpcType.this;
            }

            @Override
            public RaftServerRpc newRaftServerRpc(RaftServer server) {
                return new ControlRpc(server, control, channel.topic, ControlRpcType.this);
            }

            @Override
            public LogAppender newLogAppender(RaftServer.Division division, LeaderState leader, FollowerInfo follower) {
                return channel.pipelined
                        ? new PipelinedAppender(division, leader, follower)
                        : ServerFactory.super.newLogAppender(division, leader, follower);
            }
        };
    }
}
