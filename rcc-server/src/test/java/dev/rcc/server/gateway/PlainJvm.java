package dev.rcc.server.gateway;

import dev.rcc.client.CallOptions;
import dev.rcc.client.ClientOptions;
import dev.rcc.client.Codec;
import dev.rcc.client.KeyType;
import dev.rcc.client.RccClient;
import dev.rcc.client.Table;
import java.time.Duration;

/** A program that uses the client library and nothing else of ours, in a JVM without any flags; its arguments are the gateways. */
final class PlainJvm {
    /** A JVM that has just been started on a busy machine is slow. */
    private static final ClientOptions PATIENT = ClientOptions.DEFAULT
            .withConnections(1, Duration.ofSeconds(60))
            .withCall(CallOptions.DEFAULT.withDeadline(Duration.ofSeconds(90)));

    private PlainJvm() {}

    public static void main(String[] gateways) {
        Table<String, Long> names = new Table<>("names", KeyType.STRING, Codec.ofLong());
        try (RccClient client = RccClient.connect(gateways[0], PATIENT)) {
            client.execute(txn -> txn.put(names, "plain", 42L));
        }
    }
}
