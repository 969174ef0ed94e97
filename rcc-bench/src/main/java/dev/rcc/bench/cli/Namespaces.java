package dev.rcc.bench.cli;

import java.io.IOException;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A network of this machine's own for a cluster, whose cables can be pulled: each node is in a network namespace of its own, and
 * reaches the other nodes by a switch in another namespace. Administrators and clients reach a node by a second path, from the namespace
 * in which the network was made, like a machine room's network for administration. The path stays when the cable is pulled.
 *
 * <pre>
 *   made in                        rcc-7-0                           rcc-7-switch
 *  +-----------------------+      +--------------------------+      +------------+
 *  | rcc7-0   198.19.7.1 --+------+-- admin   198.19.7.2     |      |            |
 *  |                       |      |   cluster 198.18.0.1   --+------+-- node0    |
 *  |                       |      +--------------------------+      |            |
 *  |                       |      +--------------------------+      |            |
 *  | rcc7-1   198.19.7.5 --+------+-- admin   198.19.7.6     |      |            |
 *  |                       |      |   cluster 198.18.0.2   --+------+-- node1    |
 *  +-----------------------+      +--------------------------+      +------------+
 * </pre>
 *
 * RFC 2544 reserves the addresses for such uses. The network needs root, or CAP_NET_ADMIN and CAP_SYS_ADMIN, and iproute2.
 *
 * @param number distinguishes the present networks of this machine; a later network may have the number of one that is gone
 * @param nodes the number of nodes
 * @param mark distinguishes the network from all others; the alias of its links
 */
record Namespaces(int number, int nodes, String mark) {
    /** The number of nodes that have addresses. */
    static final int MAX_NODES = 64;

    private static final int MAX_NUMBER = 255;
    private static final int SWITCH = -1;
    private static final String LINK = "link";
    private static final String NETNS = "netns";

    /** The program {@code ip}. */
    @FunctionalInterface
    interface Ip {
        /** Runs it. */
        Ran run(String... arguments) throws IOException, InterruptedException;
    }

    /** The exit code and the output of {@code ip}. */
    record Ran(int code, String said) {}

    /**
     * Makes a network.
     *
     * @throws IOException when the network cannot be made, with the system's message; nothing of it is left then
     */
    static Namespaces create(int nodes) throws IOException, InterruptedException {
        return create(nodes, Namespaces::run);
    }

    /** As {@link #create(int)}, with another {@code ip}. */
    static Namespaces create(int nodes, Ip ip) throws IOException, InterruptedException {
        String mark = UUID.randomUUID().toString();
        for (int number = 0; number <= MAX_NUMBER; number++) {
            Namespaces made = new Namespaces(number, nodes, mark);
            if (!made.isTaken() && made.claim(ip)) {
                try {
                    made.make(ip);
                    return made;
                } catch (IOException | InterruptedException e) {
                    made.removeParts(ip);
                    throw e;
                }
            }
        }
        throw new IOException("there are " + (MAX_NUMBER + 1) + " such networks on this machine already");
    }

    private boolean isTaken() throws IOException {
        return NetworkInterface.getByName(outside(0)) != null || Files.exists(Path.of("/run/netns", name(SWITCH)));
    }

    /** Makes the switch's namespace, as only one of several processes can; false if another process has just done so. */
    private boolean claim(Ip ip) throws IOException, InterruptedException {
        try {
            ip(ip, NETNS, "add", name(SWITCH));
            return true;
        } catch (IOException e) {
            if (isTaken()) {
                return false;
            }
            throw e;
        }
    }

    private void make(Ip ip) throws IOException, InterruptedException {
        String hub = name(SWITCH);
        ip(ip, "-n", hub, LINK, "add", "name", "switch", "type", "bridge");
        ip(ip, "-n", hub, LINK, "set", "switch", "up");
        for (int node = 0; node < nodes; node++) {
            String name = name(node);
            ip(ip, NETNS, "add", name);
            ip(ip, "-n", name, LINK, "set", "lo", "up");

            ip(ip, LINK, "add", "name", port(node), NETNS, hub, "type", "veth", "peer", "name", "cluster", NETNS, name);
            ip(ip, "-n", hub, LINK, "set", port(node), "master", "switch", "up");
            ip(ip, "-n", name, "address", "add", host(node) + "/24", "dev", "cluster");
            ip(ip, "-n", name, LINK, "set", "cluster", "up");

            ip(ip, LINK, "add", "name", outside(node), "type", "veth", "peer", "name", "admin", NETNS, name);
            ip(ip, LINK, "set", "dev", outside(node), "alias", mark);
            ip(ip, "address", "add", admin(node, 1) + "/30", "dev", outside(node));
            ip(ip, LINK, "set", outside(node), "up");
            ip(ip, "-n", name, "address", "add", adminHost(node) + "/30", "dev", "admin");
            ip(ip, "-n", name, LINK, "set", "admin", "up");
        }
    }

    /** The name of a node's namespace. */
    String name(int node) {
        return "rcc-" + number + "-" + (node == SWITCH ? "switch" : Integer.toString(node));
    }

    private static String port(int node) {
        return "node" + node;
    }

    private String outside(int node) {
        return "rcc" + number + "-" + node;
    }

    /** The address at which the other nodes reach a node. */
    String host(int node) {
        return "198.18.0." + (node + 1);
    }

    /** The address at which administrators and clients reach a node. */
    String adminHost(int node) {
        return admin(node, 2);
    }

    private String admin(int node, int end) {
        return "198.19." + number + "." + (4 * node + end);
    }

    /** The prefix of a command that makes it run in a node's namespace; the process stays the same. */
    List<String> prefix(int node) {
        return List.of("ip", NETNS, "exec", name(node));
    }

    /** Pulls a node's cable, or plugs it in again. */
    void plug(int node, boolean in) throws IOException, InterruptedException {
        ip(Namespaces::run, plugArguments(node, in));
    }

    /** The command that {@link #plug} runs. */
    String plugCommand(int node, boolean in) {
        return "ip " + String.join(" ", plugArguments(node, in));
    }

    private String[] plugArguments(int node, boolean in) {
        return new String[] {"-n", name(SWITCH), LINK, "set", port(node), in ? "up" : "down"};
    }

    /** Removes the network, if it is still there. Another network that has its number now stays. */
    void remove() throws IOException, InterruptedException {
        remove(Namespaces::run);
    }

    /** As {@link #remove()}, with another {@code ip}. */
    void remove(Ip ip) throws IOException, InterruptedException {
        for (int node = 0; node < nodes; node++) {
            if (ip.run("-o", LINK, "show", "dev", outside(node)).said().contains(mark)) {
                removeParts(ip);
                return;
            }
        }
    }

    /** Removes the parts that exist; the switch's namespace last, by which other processes know that the number is taken. */
    private void removeParts(Ip ip) throws IOException, InterruptedException {
        for (int node = 0; node < nodes; node++) {
            ip.run(NETNS, "delete", name(node));
        }
        for (int node = 0; node < nodes; node++) {
            // The link goes with its other end, but only when no process is left in the namespace.
            ip.run(LINK, "delete", outside(node));
        }
        ip.run(NETNS, "delete", name(SWITCH));
    }

    private static void ip(Ip ip, String... arguments) throws IOException, InterruptedException {
        Ran ran = ip.run(arguments);
        if (ran.code() != 0) {
            throw new IOException(
                    "'ip " + String.join(" ", arguments) + "' ended with " + ran.code() + ": " + ran.said());
        }
    }

    private static Ran run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        return new Ran(process.waitFor(), said);
    }
}
