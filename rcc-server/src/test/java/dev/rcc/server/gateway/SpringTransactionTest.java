package dev.rcc.server.gateway;

import static dev.rcc.server.gateway.ClientFixture.NAMES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.rcc.client.Codec;
import dev.rcc.client.ConflictException;
import dev.rcc.client.KeyType;
import dev.rcc.client.RccClient;
import dev.rcc.client.RccException;
import dev.rcc.client.Table;
import dev.rcc.client.Transaction;
import dev.rcc.client.spring.RccExceptionTranslator;
import dev.rcc.client.spring.RccTransactionManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.EmptyResultDataAccessException;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.NestedTransactionNotSupportedException;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** {@code @Transactional} for real: a Spring context, its proxies, a cluster. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SpringTransactionTest {
    /** A checked exception, for which Spring commits unless it is configured otherwise. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;
    }

    /** A service as programs write them. */
    static class Names {
        private final Transaction rcc;

        Names(Transaction rcc) {
            this.rcc = rcc;
        }

        @Transactional
        public void put(String name, long value) {
            rcc.put(NAMES, name, value);
        }

        @Transactional
        public void putAnd(String name, long value, Runnable then) {
            rcc.put(NAMES, name, value);
            then.run();
        }

        @Transactional
        public void putAndRefuse(String name) throws Refused {
            rcc.put(NAMES, name, 1L);
            throw new Refused();
        }

        @Transactional(rollbackFor = Refused.class)
        public void putAndRollBack(String name) throws Refused {
            putAndRefuse(name);
        }

        @Transactional(noRollbackFor = ArithmeticException.class)
        public void putAndFail(String name) {
            rcc.put(NAMES, name, 1L);
            throw new ArithmeticException("as the test has it");
        }

        @Transactional(readOnly = true)
        public long get(String name) {
            return rcc.require(NAMES, name);
        }

        @Transactional(readOnly = true)
        public void putReadOnly(String name) {
            rcc.put(NAMES, name, 1L);
        }

        @Transactional(timeout = 1)
        public void lockWithinASecond(String name) {
            rcc.getForUpdate(NAMES, name);
        }

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void putOnItsOwn(String name, long value) {
            rcc.put(NAMES, name, value);
        }

        @Transactional(propagation = Propagation.NESTED)
        public void putNested(String name) {
            rcc.put(NAMES, name, 1L);
        }

        @Transactional(propagation = Propagation.NOT_SUPPORTED)
        public void putOutside(String name) {
            rcc.put(NAMES, name, 1L);
        }

        @Transactional
        public <T> T within(Supplier<T> body) {
            return body.get();
        }

        @Transactional(timeout = 1)
        public <T> T withinASecond(Supplier<T> body) {
            return body.get();
        }
    }

    @Configuration
    @EnableTransactionManagement
    static class Application {
        @Bean
        RccTransactionManager transactionManager(RccClient client) {
            return new RccTransactionManager(client);
        }

        @Bean
        Transaction rcc(RccTransactionManager manager) {
            return manager.transaction();
        }

        @Bean
        Names names(Transaction rcc) {
            return new Names(rcc);
        }
    }

    private ClientFixture fixture;
    private AnnotationConfigApplicationContext context;
    private Names names;
    private Transaction rcc;

    @BeforeEach
    void start() {
        start("nowait");
    }

    private void start(String protocol) {
        fixture = new ClientFixture(protocol);
        context = new AnnotationConfigApplicationContext();
        context.registerBean(RccClient.class, () -> fixture.client);
        context.register(Application.class);
        context.refresh();
        names = context.getBean(Names.class);
        rcc = context.getBean(Transaction.class);
    }

    @AfterEach
    void close() {
        assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
        context.close();
        fixture.closeAndInspect();
    }

    private boolean exists(String name) {
        return fixture.client.<Boolean>read(txn -> txn.get(NAMES, name).isPresent());
    }

    // ---- commit and rollback ---------------------------------------------------------------------------------------

    @Test
    void shouldCommitWhenTheMethodReturns() {
        names.put("a", 7);
        assertThat(names.get("a")).isEqualTo(7);
        assertThat(fixture.client.<Long>read(txn -> txn.require(NAMES, "a"))).isEqualTo(7);
    }

    @Test
    void shouldFollowTheRollbackRules() throws Refused {
        assertThatExceptionOfType(ArithmeticException.class)
                .isThrownBy(() -> names.putAnd("unchecked", 1, () -> {
                    throw new ArithmeticException("as the test has it");
                }));
        assertThatExceptionOfType(Refused.class).isThrownBy(() -> names.putAndRefuse("checked"));
        assertThatExceptionOfType(Refused.class).isThrownBy(() -> names.putAndRollBack("told to"));
        assertThatExceptionOfType(ArithmeticException.class).isThrownBy(() -> names.putAndFail("told not to"));
        assertThat(List.of("unchecked", "checked", "told to", "told not to").stream()
                        .map(this::exists))
                .containsExactly(false, true, false, true);
    }

    @Test
    void shouldRollBackAllWhenAMethodWithinHasFailed() {
        assertThatExceptionOfType(UnexpectedRollbackException.class)
                .isThrownBy(() -> names.putAnd("outer", 1, () -> {
                    try {
                        names.putAnd("inner", 1, () -> {
                            throw new ArithmeticException("as the test has it");
                        });
                    } catch (ArithmeticException e) {
                        // which does not undo that the transaction is to be rolled back
                    }
                }));
        assertThat(exists("outer")).isFalse();
        assertThat(exists("inner")).isFalse();
    }

    @Test
    void shouldReportItsOutcomeToSynchronizations() {
        List<Integer> ends = new ArrayList<>();
        TransactionSynchronization listener = new TransactionSynchronization() {
            @Override
            public void afterCompletion(int status) {
                ends.add(status);
            }
        };
        names.within(() -> {
            TransactionSynchronizationManager.registerSynchronization(listener);
            return null;
        });
        fixture.client.execute(txn -> txn.put(NAMES, "a", 1L));
        assertThatExceptionOfType(DataAccessException.class)
                .isThrownBy(() -> names.within(() -> {
                    TransactionSynchronizationManager.registerSynchronization(listener);
                    return rcc.require(NAMES, "nobody");
                }));
        assertThat(ends)
                .containsExactly(
                        TransactionSynchronization.STATUS_COMMITTED, TransactionSynchronization.STATUS_ROLLED_BACK);
    }

    // ---- propagation, time, reading only ---------------------------------------------------------------------------

    @Test
    void shouldSuspendATransactionForOneOfItsOwn() {
        assertThatExceptionOfType(ArithmeticException.class)
                .isThrownBy(() -> names.putAnd("outer", 1, () -> {
                    names.putOnItsOwn("own", 2);
                    assertThat(exists("own")).isTrue();
                    assertThat(rcc.get(NAMES, "outer")).contains(1L); // resumed
                    throw new ArithmeticException("as the test has it");
                }));
        assertThat(exists("outer")).isFalse();
        assertThat(exists("own")).isTrue();
    }

    @Test
    void shouldRejectAccessOutsideATransactionAndNestedTransactions() {
        assertThatIllegalStateException().isThrownBy(() -> rcc.get(NAMES, "a")).withMessageContaining("@Transactional");
        names.within(() -> {
            assertThatIllegalStateException().isThrownBy(() -> names.putOutside("a"));
            return rcc.get(NAMES, "a"); // resumed
        });
        names.within(() -> {
            assertThatExceptionOfType(NestedTransactionNotSupportedException.class)
                    .isThrownBy(() -> names.putNested("a"));
            return null;
        });
    }

    @Test
    void shouldRefuseWritesOfATransactionThatOnlyReads() {
        assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
                .isThrownBy(() -> names.putReadOnly("a"))
                .withMessageContaining("only reads");
        assertThat(exists("a")).isFalse();
    }

    @Test
    void shouldTakeATimeoutForADeadline() {
        names.put("a", 1);
        names.within(() -> {
            rcc.getForUpdate(NAMES, "a");
            assertThatExceptionOfType(QueryTimeoutException.class)
                    .isThrownBy(() -> onAnotherThread(() -> names.lockWithinASecond("a")));
            return null;
        });
    }

    private static void onAnotherThread(Runnable body) {
        List<RuntimeException> thrown = new ArrayList<>();
        Thread thread = Thread.ofVirtual().start(() -> {
            try {
                body.run();
            } catch (RuntimeException e) {
                thrown.add(e);
            }
        });
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        if (!thrown.isEmpty()) {
            throw thrown.get(0);
        }
    }

    // ---- exceptions ------------------------------------------------------------------------------------------------

    @Test
    void shouldTranslateExceptions() {
        names.put("a", 1);
        assertThrows(EmptyResultDataAccessException.class, () -> rcc.require(NAMES, "nobody"));
        assertThrows(DuplicateKeyException.class, () -> {
            rcc.insert(NAMES, "a", 2L);
            return null;
        });
        Table<String, Long> nothing = new Table<>("nothing", KeyType.STRING, Codec.ofLong());
        assertThrows(InvalidDataAccessResourceUsageException.class, () -> rcc.get(nothing, "a"));
        assertThrows(InvalidDataAccessApiUsageException.class, () -> rcc.scan(NAMES, "a", "b", 1));
        assertThat(new RccExceptionTranslator().translateExceptionIfPossible(new ArithmeticException()))
                .isNull();
    }

    private <T> void assertThrows(Class<? extends DataAccessException> type, Supplier<T> body) {
        assertThatExceptionOfType(type)
                .isThrownBy(() -> names.within(body))
                .satisfies(e -> assertThat(e.getCause()).isInstanceOf(RccException.class));
    }

    // Goal: a program that retries the exceptions that Spring calls transient retries whenever the client
    // would.
    @Test
    void shouldCallAConflictTransient() {
        close();
        start("occ");
        names.put("a", 1);
        List<Integer> ends = new ArrayList<>();
        assertThatExceptionOfType(ConcurrencyFailureException.class)
                .isThrownBy(() -> names.within(() -> {
                    TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                        @Override
                        public void afterCompletion(int status) {
                            ends.add(status);
                        }
                    });
                    long a = rcc.require(NAMES, "a");
                    fixture.client.execute(txn -> txn.put(NAMES, "a", a + 1)); // behind its back
                    rcc.put(NAMES, "b", a);
                    return null;
                }))
                .withCauseInstanceOf(ConflictException.class)
                .isInstanceOf(TransientDataAccessException.class);
        assertThat(ends).containsExactly(TransactionSynchronization.STATUS_ROLLED_BACK);
        assertThat(exists("b")).isFalse();
    }

    // Goal: an exception that came of inconsistent reads is reported as a conflict.
    @Test
    void shouldCallItAConflictWhenTheReasonToRollBackWasNeverTrue() {
        close();
        start("occ");
        names.put("a", 1);
        assertThatExceptionOfType(ConcurrencyFailureException.class)
                .isThrownBy(() -> names.within(() -> {
                    rcc.require(NAMES, "a");
                    fixture.client.execute(txn -> txn.put(NAMES, "a", 2L));
                    throw new ArithmeticException("for what was read");
                }))
                .withMessageContaining("run it again");
    }

    // Goal: the same if nobody has checked the reads because the transaction's time is over.
    @Test
    void shouldCallItAConflictWhenTheReasonToRollBackWasNotCheckedInTime() {
        close();
        start("occ");
        names.put("a", 1);
        assertThatExceptionOfType(ConcurrencyFailureException.class)
                .isThrownBy(() -> names.withinASecond(() -> {
                    long read = rcc.require(NAMES, "a");
                    fixture.client.execute(txn -> txn.put(NAMES, "a", 2L));
                    sleep(Duration.ofMillis(1_200));
                    throw new ArithmeticException("for what was read: " + read);
                }));
    }

    private static void sleep(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldThrowCannotCreateTransactionWhenAllGatewaysAreClosed() {
        for (int node = 0; node < 3; node++) {
            fixture.gateways.gateway(node).close();
        }
        assertThatExceptionOfType(CannotCreateTransactionException.class).isThrownBy(() -> names.get("a"));
    }
}
