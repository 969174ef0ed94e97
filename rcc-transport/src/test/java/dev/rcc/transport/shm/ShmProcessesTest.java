package dev.rcc.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.worker.Completion;
import dev.rcc.transport.shm.ShmProcess.Role;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** Real processes, with the real control channel: node 0 is this one, the others are children, some of which are killed. */
@Timeout(120)
class ShmProcessesTest {
    private static final long NO_LIFE = 0;

    private final ShmOptions options = ShmNetwork.options(1 << 16);
    private final List<Process> children = new ArrayList<>();
    private final CompletableFuture<Void> firstDone = new CompletableFuture<>();
    private final CompletableFuture<Void> secondDone = new CompletableFuture<>();
    private final Logger controlLog = (Logger) LoggerFactory.getLogger("dev.rcc.transport.control");
    private ShmProcess self;

    @BeforeEach
    void start() throws Exception {
        controlLog.setLevel(Level.ERROR); // children end on purpose here
        self = new ShmProcess(0, 0, options);
        self.endpoint.handle(ShmProcess.DONE, request -> {
            (request.caller() == 1 ? firstDone : secondDone).complete(null);
            request.reply(0);
        });
        self.start();
    }

    @AfterEach
    void end() throws Exception {
        for (Process child : children) {
            child.getOutputStream().close();
        }
        for (Process child : children) {
            assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
        self.close();
        controlLog.setLevel(null);
        ShmFabric.removeDead(options);
        assertThat(ShmNetwork.files(options)).isEmpty();
    }

    private Process fork(int node, Role role) throws Exception {
        Process child = ShmProcess.fork(node, self.control.port(), options, role);
        children.add(child);
        return child;
    }

    private void awaitReachable(int node) {
        ShmNetwork.await(() -> self.fabric.isReachable(node));
    }

    @Test
    void shouldCallReadAndWriteAcrossProcesses() throws Exception {
        fork(1, Role.SERVE);
        awaitReachable(1);
        self.spawn(completion -> {
                    for (long i = 0; i < 1000; i++) {
                        assertThat(self.echo(1, i, completion)).isTrue();
                    }
                    long address = RemoteAddress.of(1, ShmProcess.DATA, 128);
                    self.buffers.putLong(0, 42);
                    self.endpoint
                            .batch(1)
                            .write(0, 8, address)
                            .fetchAdd(address, 8, 8)
                            .read(address, 8, 16)
                            .post(completion);
                    ShmProcess.awaitSuccess(completion);
                    assertThat(self.buffers.getLong(8)).isEqualTo(42);
                    assertThat(self.buffers.getLong(16)).isEqualTo(50);
                    return null;
                })
                .get();
    }

    // Goal: atomics of several processes on one word exclude each other, for both kinds of atomics.
    @Test
    void shouldLoseNoAdditionOfThreeProcesses() throws Exception {
        fork(1, Role.ADD);
        fork(2, Role.ADD);
        awaitReachable(1);
        awaitReachable(2);
        self.spawn(completion -> {
                    self.add(completion);
                    return null;
                })
                .get();
        firstDone.get();
        secondDone.get();
        assertThat(self.data.getAcquire(ShmProcess.COUNTER)).isEqualTo(3L * ShmProcess.ADDITIONS);
    }

    // Goal: after kill -9, outstanding and later requests fail, and committed records can be read. The node's
    // next incarnation starts without hindrance.
    @Test
    void shouldReadCommittedRecordsOfAKilledProcessAndReachItsNextIncarnation() throws Exception {
        Process child = fork(1, Role.COMMIT);
        awaitReachable(1);
        long committed = RemoteAddress.of(1, ShmProcess.DATA, ShmProcess.COMMITTED);
        long seen = self.spawn(completion -> {
                    do {
                        self.endpoint.batch(1).read(committed, 8, 0).post(completion);
                        ShmProcess.awaitSuccess(completion);
                    } while (self.buffers.getLong(0) < 100_000);
                    return self.buffers.getLong(0);
                })
                .get();
        CompletableFuture<Integer> caller = self.spawn(completion -> {
            while (self.echo(1, 5, completion)) {
                // until it dies
            }
            return completion.failedPeer();
        });
        child.destroyForcibly().waitFor(); // SIGKILL
        assertThat(caller.get()).isEqualTo(1);
        assertThat(self.fabric.isReachable(1)).isFalse();
        assertThat(self.spawn(completion -> readFails(committed, completion)).get())
                .isTrue();
        try (ShmRemains remains = self.fabric.remains(1).orElseThrow()) {
            Memory left = remains.region(ShmProcess.DATA);
            long last = left.getAcquire(ShmProcess.COMMITTED);
            assertThat(last).isGreaterThanOrEqualTo(seen);
            for (int word = 0; word < ShmProcess.RECORD_WORDS; word++) {
                assertThat(left.getLong(ShmProcess.record(last) + 8L * word))
                        .as("word %d of record %d", word, last)
                        .isEqualTo(last);
            }
        }
        assertThat(ShmNetwork.files(options)).hasSize(6); // not removed yet
        fork(1, Role.SERVE);
        awaitReachable(1);
        assertThat(self.spawn(completion -> self.echo(1, 6, completion)).get()).isTrue();
        assertThat(ShmNetwork.files(options)).hasSize(6); // replaced by the next incarnation's files
        assertThat(self.spawn(completion -> {
                            self.endpoint.batch(1).read(committed, 8, 0).post(completion);
                            ShmProcess.awaitSuccess(completion);
                            return self.buffers.getLong(0);
                        })
                        .get())
                .isZero();
    }

    // Goal: a frozen peer that is cut off carries out nothing later: it is dead.
    @Test
    void shouldKillAProcessThatIsCutOffEvenIfItIsStopped() throws Exception {
        Process child = fork(1, Role.ADD_FOR_EVER);
        awaitReachable(1);
        ShmNetwork.await(() -> self.data.getAcquire(ShmProcess.COUNTER) > 1000);
        new ProcessBuilder("kill", "-STOP", String.valueOf(child.pid())).start().waitFor();
        self.fabric.fence(1);
        long added = self.data.getAcquire(ShmProcess.COUNTER);
        assertThat(child.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(child.exitValue()).isEqualTo(128 + 9); // SIGKILL
        assertThat(self.fabric.isReachable(1)).isFalse();
        assertThat(self.data.getAcquire(ShmProcess.COUNTER)).isEqualTo(added);
        self.fabric.fence(1); // it is dead already
        try (ShmRemains remains = self.fabric.remains(1).orElseThrow()) {
            assertThat(remains.region(ShmProcess.DATA).getLong(0)).isZero();
        }
    }

    // Goal: a peer whose files something else has removed, as logind does when a user logs out, is not taken for dead.
    @Test
    void shouldKillAStoppedProcessWhoseFilesAreGone() throws Exception {
        Process child = fork(1, Role.ADD_FOR_EVER);
        awaitReachable(1);
        ShmNetwork.await(() -> self.data.getAcquire(ShmProcess.COUNTER) > 1000);
        for (Path file : ShmNetwork.files(options)) {
            Files.delete(file);
        }
        new ProcessBuilder("kill", "-STOP", String.valueOf(child.pid())).start().waitFor();
        self.fabric.fence(1);
        boolean ended = child.waitFor(10, TimeUnit.SECONDS);
        child.destroyForcibly(); // otherwise it would never end
        assertThat(ended).isTrue();
        self.fabric.fence(1); // it is dead already
    }

    // Goal: a restarted node survives when the other nodes expel its earlier incarnation. The new incarnation
    // is not admitted, so it can do no harm, and the expulsion may need it for a majority.
    @Test
    void shouldNotKillAnIncarnationThatWasNotAdmitted() throws Exception {
        Process child = fork(1, Role.SERVE);
        awaitReachable(1);
        self.fabric.admit(1, incarnation(child));
        child.destroyForcibly().waitFor();
        Process next = fork(1, Role.SERVE);
        ShmNetwork.await(() -> self.control.isUp(1) && incarnation(next) != NO_LIFE);
        long incarnation = incarnation(next);
        self.fabric.fence(1);
        self.fabric.admit(1, incarnation);
        awaitReachable(1);
        assertThat(next.isAlive()).isTrue();
        assertThat(self.spawn(completion -> self.echo(1, 6, completion)).get()).isTrue();
        self.fabric.fence(1);
        assertThat(next.waitFor(10, TimeUnit.SECONDS)).as("it was let in").isTrue();
        assertThat(next.exitValue()).isEqualTo(128 + 9); // SIGKILL
    }

    private List<Path> nodeFiles() {
        return ShmNetwork.files(options).stream()
                .filter(file -> file.toString().endsWith(".node"))
                .toList();
    }

    /** The incarnation of a process, according to the node file that it has open for writing; {@code NO_LIFE} if it has none. */
    private long incarnation(Process process) {
        for (Path nodeFile : nodeFiles()) {
            if (ShmKiller.holds(process.pid(), nodeFile)) {
                return ShmFiles.incarnationOf(nodeFile);
            }
        }
        return NO_LIFE;
    }

    private boolean readFails(long address, Completion completion) {
        self.endpoint.batch(1).read(address, 8, 0).post(completion);
        return !completion.await() && completion.failedPeer() == 1;
    }
}
