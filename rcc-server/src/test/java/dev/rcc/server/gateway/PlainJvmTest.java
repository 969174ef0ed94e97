package dev.rcc.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.client.RccClient;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslContext;
import io.netty.resolver.AddressResolver;
import io.netty.util.Timer;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
class PlainJvmTest {
    // Goal: a service needs the client, Netty, SLF4J and no flags; its users read no warnings of the JVM's.
    @Test
    void shouldNeedNoFlagsAndWarnOfNothing() throws IOException, InterruptedException {
        String classPath = Stream.of(
                        PlainJvm.class,
                        RccClient.class,
                        Channel.class,
                        ByteBuf.class,
                        Timer.class,
                        ByteToMessageDecoder.class,
                        SslContext.class,
                        AddressResolver.class,
                        Logger.class)
                .map(PlainJvmTest::whereItIs)
                .distinct()
                .collect(Collectors.joining(File.pathSeparator));
        try (ClientFixture fixture = new ClientFixture("nowait")) {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            classPath,
                            PlainJvm.class.getName(),
                            fixture.gateways.addresses())
                    .redirectErrorStream(true)
                    .start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(said).isZero();
            assertThat(said.lines().filter(line -> !line.startsWith("SLF4J"))) // it misses somebody who logs
                    .isEmpty();
            assertThat(fixture.client.<Long>read(txn -> txn.require(ClientFixture.NAMES, "plain")))
                    .isEqualTo(42);
        }
    }

    private static String whereItIs(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }
}
