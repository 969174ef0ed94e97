package dev.rcc.server.gateway;

import dev.rcc.server.NodeHost;
import dev.rcc.server.NodeServer;
import dev.rcc.server.procedure.Procedures;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The gateway of a server process. It exists while the process's node serves, and clients of the other nodes receive its address. While the
 * process is leased, its node has none.
 */
public final class ServedGateway implements NodeHost.Front {
    private volatile GatewayOptions options;
    private final String advertised;
    private final Procedures procedures;
    private volatile ClientAddresses addresses;
    private volatile Gateway gateway;
    /** The last gateway that stood in for this one, or null. */
    private ServedGateway standIn;

    /**
     * The gateway of the process of a node.
     *
     * @param advertised the address at which clients connect, {@code host:port}, if it is not the address at which the gateway listens;
     *     otherwise empty
     * @param procedures the stored procedures that clients can call
     */
    public ServedGateway(GatewayOptions options, String advertised, Procedures procedures) {
        this.options = options;
        this.advertised = advertised;
        this.procedures = procedures;
    }

    @Override
    public void prepare(NodeServer node) {
        addresses = new ClientAddresses(node.control(), node.configuration().isPresent());
    }

    /** Admits only these users from now on, as {@link Gateway#users} does. */
    public synchronized void users(Users users) {
        options = options.withUsers(users, options.access().plainTokens());
        if (gateway != null) {
            gateway.users(users);
        }
        if (standIn != null) {
            standIn.users(users);
        }
    }

    /**
     * A gateway in place of this one, while the process is leased. It admits the users of this one, also when these change.
     *
     * @param change makes its options of this one's
     * @param others the stored procedures that its clients can call
     */
    public synchronized ServedGateway standIn(UnaryOperator<GatewayOptions> change, Procedures others) {
        standIn = new ServedGateway(change.apply(options), advertised, others);
        return standIn;
    }

    @Override
    public synchronized void open(NodeServer node) {
        ClientAddresses members = addresses;
        Gateway opened = new Gateway(GatewayNode.of(node), options, procedures, members::byNode);
        gateway = opened;
        members.listen(opened::membersChanged);
        members.whenCutOff(opened::sendAway);
        members.own(address(opened));
    }

    private String address(Gateway opened) {
        return advertised.isEmpty() ? opened.address() : advertised;
    }

    @Override
    public Optional<String> address() {
        return Optional.ofNullable(gateway).map(this::address);
    }

    @Override
    public void drain() {
        if (gateway != null) {
            addresses.own("");
            gateway.drain();
        }
    }

    @Override
    public void close() {
        Gateway closing = gateway;
        if (closing != null) {
            addresses.own("");
            gateway = null;
            closing.close();
        }
    }
}
