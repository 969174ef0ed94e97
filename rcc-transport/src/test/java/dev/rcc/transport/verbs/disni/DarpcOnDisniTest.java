package dev.rcc.transport.verbs.disni;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.darpc.DaRPCClientEndpoint;
import com.ibm.darpc.DaRPCClientGroup;
import com.ibm.darpc.DaRPCFuture;
import com.ibm.darpc.DaRPCStream;
import dev.rcc.transport.verbs.LabDraw;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** DaRPC's requests and responses on our provider, within a process and between two. */
@Tag("rdma")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DarpcOnDisniTest {
    /** In the lab, where a JVM takes half a minute to start, one build in this many starts a second JVM here. */
    private static final int ONE_IN = 4;

    @Test
    void shouldAnswerWithinAProcess() throws Exception {
        SumServer server = new SumServer();
        try {
            callAndCheck(server.port(), ProcessHandle.current().pid());
        } finally {
            server.stop();
        }
    }

    @Test
    void shouldAnswerBetweenProcesses() throws Exception {
        LabDraw.assumeTurn("DaRPC", 0, ONE_IN);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // The same arguments as this JVM, which in the lab has an archive of classes. Without it a JVM starts
        // very slowly there.
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), SumServer.class.getName()));
        Process process =
                new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
        try {
            BufferedReader output =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            String line = output.readLine();
            assertThat(line).startsWith("port ");
            callAndCheck(Integer.parseInt(line.substring("port ".length())), process.pid());
            process.getOutputStream().close();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    private static void callAndCheck(int port, long serverPid) throws Exception {
        DisniProvider.install();
        DaRPCClientGroup<SumMessage, SumMessage> group = DaRPCClientGroup.createClientGroup(
                new SumMessage.Protocol(), SumServer.TIMEOUT_MILLIS, 0, SumServer.PIPELINE, SumServer.PIPELINE);
        DaRPCClientEndpoint<SumMessage, SumMessage> endpoint = group.createEndpoint();
        endpoint.connect(Device.address(port), SumServer.TIMEOUT_MILLIS);
        assertThat(endpoint.isConnected()).isTrue();
        DaRPCStream<SumMessage, SumMessage> stream = endpoint.createStream();
        for (int round = 0; round < 20; round++) {
            List<DaRPCFuture<SumMessage, SumMessage>> futures = new ArrayList<>();
            for (int i = 0; i < SumServer.PIPELINE / 2; i++) {
                SumMessage request = new SumMessage();
                request.first = round;
                request.second = i;
                futures.add(stream.request(request, new SumMessage(), false));
            }
            for (int i = 0; i < futures.size(); i++) {
                SumMessage response = futures.get(i).get();
                assertThat(response.first).isEqualTo(round + i);
                assertThat(response.second).isEqualTo(serverPid);
            }
        }
        endpoint.close();
        group.close();
    }
}
