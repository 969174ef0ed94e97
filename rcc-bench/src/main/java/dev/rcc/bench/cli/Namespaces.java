package dev.rcc.bench.cli;

import java.io.IOException;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

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
 * @param number distinguishes the networks of this machine
 * @param nodes the number of nodes
 */
record Namespaces(int number, int nodes) {
    /** The number of nodes that have addresses. */
    static final int MAX_NODES = 64;

    private static final int MAX_NUMBER = 255;
    private static final int SWITCH = -1;
    private static final String LINK = "link";
    private static final String NETNS = "netns";

    /**
     * Makes a network.
     *
     * @throws IOException when the network cannot be made, with the system's message; nothing of it is left then
     */
    static Namespaces create(int nodes) throws IOException, InterruptedException {
        int number = 0;
        while (isTaken(number)) {
            number++;
        }
        if (number > MAX_NUMBER) {
            throw new IOException("there are " + number + " such networks on this machine already");
        }
        Namespaces made = new Namespaces(number, nodes);
        try {
            made.make();
            return made;
        } catch (IOException | InterruptedException e) {
            made.remove();
            throw e;
        }
    }

    private static boolean isTaken(int number) throws IOException {
        Namespaces other = new Namespaces(number, 1);
        return NetworkInterface.getByName(other.outside(0)) != null
                || Files.exists(Path.of("/run/netns", other.name(SWITCH)));
    }

    private void make() throws IOException, InterruptedException {
        String hub = name(SWITCH);
        ip(NETNS, "add", hub);
        ip("-n", hub, LINK, "add", "name", "switch", "type", "bridge");
        ip("-n", hub, LINK, "set", "switch", "up");
        for (int node = 0; node < nodes; node++) {
            String name = name(node);
            ip(NETNS, "add", name);
            ip("-n", name, LINK, "set", "lo", "up");

            ip(LINK, "add", "name", port(node), NETNS, hub, "type", "veth", "peer", "name", "cluster", NETNS, name);
            ip("-n", hub, LINK, "set", port(node), "master", "switch", "up");
            ip("-n", name, "address", "add", host(node) + "/24", "dev", "cluster");
            ip("-n", name, LINK, "set", "cluster", "up");

            ip(LINK, "add", "name", outside(node), "type", "veth", "peer", "name", "admin", NETNS, name);
            ip("address", "add", admin(node, 1) + "/30", "dev", outside(node));
            ip(LINK, "set", outside(node), "up");
            ip("-n", name, "address", "add", adminHost(node) + "/30", "dev", "admin");
            ip("-n", name, LINK, "set", "admin", "up");
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
        ip(plugArguments(node, in));
    }

    /** The command that {@link #plug} runs. */
    String plugCommand(int node, boolean in) {
        return "ip " + String.join(" ", plugArguments(node, in));
    }

    private String[] plugArguments(int node, boolean in) {
        return new String[] {"-n", name(SWITCH), LINK, "set", port(node), in ? "up" : "down"};
    }

    /** Removes the parts of the network that exist. */
    void remove() throws IOException, InterruptedException {
        for (int node = SWITCH; node < nodes; node++) {
            run(NETNS, "delete", name(node));
        }
        for (int node = 0; node < nodes; node++) {
            // The link goes with its other end, but only when no process is left in the namespace.
            run(LINK, "delete", outside(node));
        }
    }

    private static void ip(String... arguments) throws IOException, InterruptedException {
        String problem = run(arguments);
        if (!problem.isEmpty()) {
            throw new IOException(problem);
        }
    }

    /** Returns an error message, empty if the command succeeded. */
    private static String run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        int code = process.waitFor();
        return code == 0 ? "" : "'" + String.join(" ", command) + "' ended with " + code + ": " + said;
    }
}
