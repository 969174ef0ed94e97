package dev.rcc.client;

import java.util.ArrayList;
import java.util.List;

/**
 * The address of a gateway.
 *
 * @param host the host's name or IP address
 * @param port the port
 */
record Endpoint(String host, int port) {
    static final int DEFAULT_PORT = 7400;

    /** Reads {@code host:port,host:port}. */
    static List<Endpoint> parseAll(String text) {
        List<Endpoint> endpoints = new ArrayList<>();
        for (String each : text.split(",", -1)) {
            endpoints.add(parse(each.strip()));
        }
        return endpoints;
    }

    static Endpoint parse(String text) {
        int colon = text.lastIndexOf(':');
        boolean hasPort = colon > text.lastIndexOf(']') && (text.indexOf(':') == colon || text.startsWith("["));
        String host = hasPort ? text.substring(0, colon) : text;
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        try {
            int port = hasPort ? Integer.parseInt(text.substring(colon + 1)) : DEFAULT_PORT;
            if (!host.isEmpty() && port > 0 && port <= 0xFFFF) {
                return new Endpoint(host, port);
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw new IllegalArgumentException(
                "a gateway's address is host:port with a port from 1 to 65535, got '" + text + "'");
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
