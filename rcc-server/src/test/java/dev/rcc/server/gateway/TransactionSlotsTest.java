package dev.rcc.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.client.ErrorCode;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.TransactionRunner;
import dev.rcc.core.worker.Completion;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.procedure.Procedures;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The slots of a worker, with users that are no transactions. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TransactionSlotsTest {
    private EmbeddedCluster cluster;
    private GatewayCore core;
    private TransactionSlots slots;

    /** Ends at once, or throws at once. */
    private record Brief(CompletableFuture<Void> begun, CompletableFuture<Failure> ended, RuntimeException thrown)
            implements SlotUser {
        Brief(RuntimeException thrown) {
            this(new CompletableFuture<>(), new CompletableFuture<>(), thrown);
        }

        @Override
        public void run(TransactionRunner runner, Completion wakeUp) {
            begun.complete(null);
            if (thrown != null) {
                throw thrown;
            }
        }

        @Override
        public void end(Failure failure) {
            ended.complete(failure);
        }

        @Override
        public void reap(long nowNanos) {
            // it has all the time
        }

        @Override
        public boolean isOver() {
            return ended.isDone();
        }
    }

    @BeforeEach
    void start() throws InterruptedException {
        cluster = new EmbeddedCluster(
                ClusterConfig.of(Protocols.byName("nowait"), List.of(TableSchema.ofLongKeys(0, "numbers", 8, 4_000)))
                        .withMemory(1 << 18, 1 << 16, 1 << 12));
        cluster.start();
        core = new GatewayCore(GatewayNode.of(cluster, 0), GatewayOptions.DEFAULT, Procedures.NONE, 1);
        CountDownLatch beginning = new CountDownLatch(cluster.config().coroutines());
        core.open(beginning::countDown, () -> {});
        assertThat(beginning.await(20, TimeUnit.SECONDS)).isTrue();
        slots = core.nextSlots();
    }

    @AfterEach
    void close() {
        core.close();
        cluster.close();
    }

    @Test
    void shouldEndAUserThatHasASlotAndHasNotBegunWhenItCloses() throws Exception {
        Brief user = new Brief(null);
        slots.execute(() -> {
            slots.admit(user);
            slots.close();
        });
        assertThat(user.ended().get(20, TimeUnit.SECONDS).code()).isEqualTo(ErrorCode.UNAVAILABLE);
    }

    @Test
    void shouldKeepItsSlotsWhenUsersFail() throws Exception {
        for (int i = 0; i < cluster.config().coroutines(); i++) {
            Brief failing = new Brief(new IllegalStateException("as a test wants"));
            slots.execute(() -> slots.admit(failing));
            failing.begun().get(20, TimeUnit.SECONDS);
        }
        Brief user = new Brief(null);
        slots.execute(() -> slots.admit(user));
        user.begun().get(20, TimeUnit.SECONDS);
    }
}
