package dev.rcc.server.process;

import dev.rcc.core.cluster.Zones;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionValues;
import dev.rcc.transport.network.FabricProvider;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Checks the addresses that a node gives its peers and its clients: they must be able to connect to them. */
final class Reachability {
    private Reachability() {}

    /**
     * Checks the addresses at which nodes connect to each other.
     *
     * @param zones the data centre of each node
     * @param inside the network inside data centres
     * @param network the network of the cluster: the one inside data centres, or one made of that and the one between them
     * @throws IllegalArgumentException when peers cannot connect there
     */
    static void checkByPeers(
            OptionValues values,
            int node,
            List<InetSocketAddress> peers,
            Zones zones,
            FabricProvider inside,
            FabricProvider network) {
        boolean isSingle = peers.size() == 1;
        if (!isSingle && peers.stream().anyMatch(peer -> peer.getPort() == 0)) {
            throw values.refuse(ServerOptions.PEERS, "ports from 1, as nodes connect to them");
        }
        Optional<Option> option = network.hostOption();
        boolean isOnly = network.equals(inside);
        List<String> hosts = Stream.concat(
                        Stream.of(node),
                        IntStream.range(0, peers.size())
                                .filter(peer -> isOnly || zones.zone(peer) != zones.zone(node))
                                .boxed())
                .map(peer -> host(peers.get(peer)))
                .distinct()
                .toList();
        if (option.isPresent() && hosts.size() > 1) {
            String given = values.text(option.get());
            if (PeerTrust.isLoopback(given) || isWildcard(given)) {
                throw values.refuse(
                        option.get(),
                        "an address of this node to which its peers can connect, as the nodes are on several hosts: "
                                + String.join(", ", hosts));
            }
        }
    }

    /**
     * Checks the address that a node advertises to clients.
     *
     * @throws IllegalArgumentException when clients cannot connect there
     */
    static void checkByClients(OptionValues values, InetSocketAddress advertised) {
        if (isWildcard(advertised.getHostString()) || advertised.getPort() == 0) {
            throw values.refuse(
                    ClientAccessOptions.ADVERTISE, "host:port, a host and a port to which clients can connect");
        }
    }

    /** A text that identifies the host of a node. */
    static String host(InetSocketAddress peer) {
        InetAddress address = peer.getAddress();
        if (address == null) {
            return peer.getHostString();
        }
        return address.isLoopbackAddress() ? "loopback" : address.getHostAddress();
    }

    /** Whether a host stands for all addresses of this machine, and is none to connect to. */
    static boolean isWildcard(String host) {
        try {
            return InetAddress.getByName(host).isAnyLocalAddress();
        } catch (UnknownHostException e) {
            return false; // reported when something listens there
        }
    }
}
