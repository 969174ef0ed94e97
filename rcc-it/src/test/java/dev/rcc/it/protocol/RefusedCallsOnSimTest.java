package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Coordinator;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.worker.Completion;
import dev.rcc.it.protocol.TestCluster.Result;
import dev.rcc.protocols.common.Calls;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.transport.sim.FaultPlan;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.slf4j.LoggerFactory;

/** A network that refuses a call by an exception, at the time when a transaction is logged or decided. */
@EachProtocol.All
class RefusedCallsOnSimTest extends ProtocolContract implements OnSim {
    private static final TableSchema SCHEMA = TableSchema.ofLongKeys(0, "numbers", 8, 100);

    @Override
    public FaultPlan faults() {
        return FaultPlan.NONE;
    }

    @Override
    public boolean isShort() {
        return false;
    }

    @BeforeAll
    static void expectLog() {
        ((Logger) LoggerFactory.getLogger(Calls.class)).setLevel(Level.OFF); // it logs the refusals
    }

    @AfterAll
    static void restoreLog() {
        ((Logger) LoggerFactory.getLogger(Calls.class)).setLevel(null);
    }

    /** A protocol whose network refuses one of the calls of a coordinator that has begun to log. */
    private static final class RefusedProtocol extends DelegatingProtocol {
        /** The number of the call that is refused, from 0; negative once it was. */
        int next = -1;

        RefusedProtocol(Protocol protocol) {
            super(protocol);
        }

        @Override
        public Coordinator coordinator(WorkerContext c, Transaction txn) {
            return super.coordinator(c.withEndpoint(new RefusingEndpoint(c.endpoint(), txn)), txn);
        }

        private final class RefusingEndpoint extends DelegatingEndpoint {
            private final Transaction txn;

            RefusingEndpoint(Endpoint endpoint, Transaction txn) {
                super(endpoint, UnaryOperator.identity());
                this.txn = txn;
            }

            @Override
            public void call(
                    int peer,
                    int rpcId,
                    long requestOffset,
                    int requestBytes,
                    long replyOffset,
                    int replyBytes,
                    Completion completion) {
                if (txn.hasLogged() && next >= 0 && next-- == 0) {
                    throw new IllegalStateException("too many calls are outstanding");
                }
                super.call(peer, rpcId, requestOffset, requestBytes, replyOffset, replyBytes, completion);
            }
        }
    }

    private static Procedure writeAll(Table table, List<Long> keys, long value) {
        return procedure(
                txn -> keys.stream().map(key -> txn.update(table, key)).toList(),
                (txn, accesses) -> accesses.forEach((Access access) -> access.putLong(VALUE, value)));
    }

    // Method: each call of the log and commit stages is refused once, in a transaction that writes on all nodes.
    // If it is a call of the log stage, the transaction is not decided, and has no effect.
    @ForEveryCode
    void shouldInstallAllOfADecidedTransaction(HybridCode code) {
        RefusedProtocol refused = new RefusedProtocol(protocol());
        ClusterConfig config = ClusterConfig.of(refused, List.of(SCHEMA))
                .withCode(code)
                .withShape(3, 1, 4, 3)
                .withMemory(64 * 1024, 32 * 1024, 1024)
                .withRetries(PATIENT);
        try (TestCluster cluster = start(config, LongStream.range(0, 16).toArray())) {
            Table table = cluster.table(0);
            List<Long> keys =
                    List.of(keyOn(cluster, table, 0, 0), keyOn(cluster, table, 1, 0), keyOn(cluster, table, 2, 0));
            cluster.commit(0, writeAll(table, keys, 99));
            long expected = 99;
            for (int call = 0; call < 8; call++) {
                refused.next = call;
                Result result = cluster.run(0, writeAll(table, keys, 100 + call));
                refused.next = -1;
                if (result.outcome() == Outcome.COMMITTED) {
                    expected = 100 + call;
                } else {
                    assertThat(result).isEqualTo(Result.aborted(AbortReason.PEER_UNREACHABLE));
                }
                for (long key : keys) {
                    assertThat(cluster.read(1, table, key)).as("call %s", call).isEqualTo(expected);
                }
                cluster.assertAtRest();
            }
            assertThat(expected).as("the last transaction makes fewer calls").isEqualTo(107);
        }
    }
}
