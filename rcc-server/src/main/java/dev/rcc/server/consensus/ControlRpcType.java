package dev.rcc.server.consensus;

import dev.rcc.transport.control.Control;
import java.util.Objects;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerRpc;
import org.apache.ratis.server.ServerFactory;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;

/** Makes a group's members communicate over the control channel. Public because Ratis creates an instance by the class's name. */
public final class ControlRpcType implements RpcType {
    // Ratis's interface of appenders initializes their base class, and that needs the interface. Two groups that elect
    // their first leaders at the same moment could begin at opposite ends, and wait for each other for ever, with their
    // groups' locks. So the interface is initialized here, before there is a group.
    static {
        Objects.requireNonNull(LogAppender.DEFAULT_CLASS);
    }

    private static final String CONTROL = "rcc.control";
    private static final String CHANNEL = "rcc.channel";

    /**
     * The topic of a server's messages, and the properties of its groups that the transport may rely on.
     *
     * @param topic the topic of the control channel
     * @param isPipelined whether a leader sends entries before earlier ones were acknowledged: each takes a round trip less, and more
     *     threads and memory
     * @param hasFreshLogs whether an empty log is always a new one; see {@link #withFreshLogs}
     */
    public record Channel(String topic, boolean isPipelined, boolean hasFreshLogs) {
        /** A leader waits for each reply, and logs last longer than processes. */
        public static Channel of(String topic) {
            return new Channel(topic, false, false);
        }

        /** Leaders do not wait for replies. */
        public Channel pipelined() {
            return new Channel(topic, true, hasFreshLogs);
        }

        /**
         * A group begins with empty logs, and no process takes part in it after it has lost its log. Ratis takes a voter with an empty log
         * for a node whose disk was wiped, and does not count its vote once an entry is committed. A member may have begun so late that it
         * has no entry yet. If another member is lost then, the group would never have a leader; with this, the vote counts.
         */
        public Channel withFreshLogs() {
            return new Channel(topic, isPipelined, true);
        }
    }

    /** Called by Ratis. */
    public ControlRpcType() {}

    /**
     * The parameters of a server made with this type. The server's owner {@linkplain ControlRpc#answer has it answer} the questions of the
     * topic.
     *
     * @param channel the channel of all groups of the server
     */
    public static Parameters parameters(Control control, Channel channel) {
        Parameters parameters = new Parameters();
        parameters.put(CONTROL, control, Control.class);
        parameters.put(CHANNEL, channel, Channel.class);
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
                return new ControlRpc(server, control, channel, ControlRpcType.this);
            }

            @Override
            public LogAppender newLogAppender(RaftServer.Division division, LeaderState leader, FollowerInfo follower) {
                return channel.isPipelined
                        ? new PipelinedAppender(division, leader, follower)
                        : ServerFactory.super.newLogAppender(division, leader, follower);
            }
        };
    }
}
