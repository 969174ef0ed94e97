package dev.rcc.transport.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.rcc.transport.verbs.VerbsProcess.End;
import dev.rcc.transport.verbs.VerbsProcess.Talk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/**
 * A process with connected peers dies, or is frozen. Nodes 0 and 1 are in this process and observe; node 2 is a process of its own. The promises are
 * time limits, so these tests measure time.
 */
@Tag("rdma")
class VerbsProcessesTest {
    /** Guards against hangs only. */
    private static final long HANG_SECONDS = 900;
    /** The time from the detection by the control channel to the failure at a coroutine, on an emulated processor under load. */
    private static final Duration SLACK = Duration.ofSeconds(4);

    private final Logger log = (Logger) LoggerFactory.getLogger("dev.rcc.transport");
    private final List<VerbsProcess> here = new ArrayList<>();
    private Process other;

    @BeforeEach
    void expectLosses() {
        log.setLevel(Level.ERROR);
    }

    @AfterEach
    void end() throws Exception {
        if (other != null) {
            other.destroyForcibly();
            assertThat(other.waitFor(HANG_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
        here.forEach(VerbsProcess::close);
        log.setLevel(null);
    }

    static List<VerbsOptions.Rpc> rpcs() {
        return LabDraw.some("calls between processes", 1, List.of(VerbsOptions.Rpc.values()));
    }

    @ParameterizedTest
    @MethodSource("rpcs")
    void shouldFailBatchesAndCallsToAProcessThatIsKilled(VerbsOptions.Rpc rpc) throws Exception {
        LabDraw.assumeTurn(LabDraw.PROCESSES, 1, LabDraw.ONE_OF_PROCESSES_IN);
        List<Talk> talks = talkToTheOther(rpc);
        long start = System.nanoTime();
        other.destroyForcibly(); // SIGKILL
        assertAllFailWithin(VerbsProcess.FAILURE_TIMEOUT, start, talks);
    }

    // Goal: a frozen process counts as dead, though the device still serves its memory.
    @ParameterizedTest
    @MethodSource("rpcs")
    void shouldFailBatchesAndCallsToAProcessThatFallsSilent(VerbsOptions.Rpc rpc) throws Exception {
        LabDraw.assumeTurn(LabDraw.PROCESSES, 2, LabDraw.ONE_OF_PROCESSES_IN);
        List<Talk> talks = talkToTheOther(rpc);
        long start = System.nanoTime();
        assertThat(new ProcessBuilder("kill", "-STOP", String.valueOf(other.pid()))
                        .start()
                        .waitFor())
                .isZero();
        assertAllFailWithin(VerbsProcess.FAILURE_TIMEOUT.plus(SLACK), start, talks);
    }

    /** Lets all nodes here send requests of both kinds to node 2; returns after each has had an answer. */
    private List<Talk> talkToTheOther(VerbsOptions.Rpc rpc) throws Exception {
        VerbsOptions options = VerbsProcess.options(rpc);
        List<Integer> ports = new ArrayList<>();
        for (int node = 0; node < 2; node++) {
            VerbsProcess process = new VerbsProcess(node, List.copyOf(ports), options).start();
            here.add(process);
            ports.add(process.control.port());
        }
        other = VerbsProcess.fork(2, ports, options);
        awaitReachable(here.get(0), 1);
        List<Talk> talks = new ArrayList<>();
        for (VerbsProcess process : here) {
            awaitReachable(process, 2);
            talks.add(process.batchesUntilFailure(2));
            talks.add(process.callsUntilFailure(2));
        }
        for (Talk talk : talks) {
            talk.begun().get(HANG_SECONDS, TimeUnit.SECONDS);
        }
        return talks;
    }

    private void awaitReachable(VerbsProcess process, int peer) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(HANG_SECONDS);
        while (!process.fabric.isReachable(peer)) {
            assertThat(System.nanoTime()).as("node %d never comes", peer).isLessThan(deadline);
            assertThat(other.isAlive()).as("the other process goes on").isTrue();
            TimeUnit.MILLISECONDS.sleep(10); // the other JVM needs the processor to start
        }
    }

    private void assertAllFailWithin(Duration limit, long startNanos, List<Talk> talks) throws Exception {
        for (Talk talk : talks) {
            End end = talk.end().get(HANG_SECONDS, TimeUnit.SECONDS);
            assertThat(end.failedPeer()).as("the unreachable peer of %s", end).isEqualTo(2);
            assertThat(Duration.ofNanos(end.nanos() - startNanos))
                    .as("from the loss to the failure of %s", end)
                    .isBetween(Duration.ZERO, limit);
        }
        assertThat(here)
                .allSatisfy(process -> assertThat(process.fabric.isReachable(2)).isFalse());
        assertThat(here.getFirst().fabric.isReachable(1)).isTrue();
    }
}
