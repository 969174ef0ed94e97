package dev.rcc.client.spring;

import dev.rcc.client.OpenTransaction;
import dev.rcc.client.RccClient;
import dev.rcc.client.RccException;
import dev.rcc.client.Transaction;
import dev.rcc.client.TransactionOutcomeUnknownException;
import java.time.Duration;
import java.util.Objects;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.HeuristicCompletionException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.SmartTransactionObject;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Spring's transaction manager for a cluster. A method with {@code @Transactional} runs in a transaction, and uses it through
 * {@link #transaction}, which is the same object for the whole program:
 *
 * <pre>{@code
 * @Bean RccTransactionManager transactionManager(RccClient client) { return new RccTransactionManager(client); }
 * @Bean Transaction rcc(RccTransactionManager manager) { return manager.transaction(); }
 * }</pre>
 *
 * <p>Transactions are serializable, whatever isolation level is set. The timeout is the transaction's deadline; the default is the client's
 * deadline. {@code readOnly} refuses writes. {@code REQUIRES_NEW} and {@code NOT_SUPPORTED} suspend the transaction, which stays open at its
 * gateway and keeps its locks. {@code NESTED} is refused.
 *
 * <p>The manager does not try a transaction again: that is for the caller of the method, which can run the method again after a
 * {@code TransientDataAccessException}. {@link RccExceptionTranslator} translates the client's exceptions. As {@link RccClient#transact} does, a
 * rollback checks whether the transaction's reads were true at one moment. If they were not, the exception that led to the rollback is not
 * valid, and a {@code ConcurrencyFailureException} takes its place.
 */
public class RccTransactionManager extends AbstractPlatformTransactionManager {
    private static final long serialVersionUID = 1L;

    private final transient RccClient client;
    private final transient Transaction current = new CurrentTransaction(this::require);

    /**
     * Creates a manager of transactions on the cluster of a client.
     *
     * @param client the client; the code that made it closes it, after the last transaction
     */
    public RccTransactionManager(RccClient client) {
        this.client = Objects.requireNonNull(client, "client");
    }

    /**
     * {@return an object whose methods act on the calling thread's transaction} They throw Spring's exceptions, and an
     * {@code IllegalStateException} if the thread has no transaction.
     */
    public Transaction transaction() {
        return current;
    }

    private OpenTransaction require() {
        Holder holder = (Holder) TransactionSynchronizationManager.getResource(client);
        if (holder == null) {
            throw new IllegalStateException(
                    "this thread has no transaction: call it from a @Transactional method, and that "
                            + "through its bean rather than through this");
        }
        return holder.open;
    }

    /** A thread's transaction, in which several methods may take part. */
    private static final class Holder {
        private final OpenTransaction open;
        private boolean rollbackOnly;

        Holder(OpenTransaction open) {
            this.open = open;
        }
    }

    /** Spring's transaction object: the holder that a method has found or made. */
    private static final class Handle implements SmartTransactionObject {
        private Holder holder;

        @Override
        public boolean isRollbackOnly() {
            return holder != null && holder.rollbackOnly;
        }

        @Override
        public void flush() {
            // the writes travel with the commit
        }
    }

    @Override
    protected Object doGetTransaction() {
        Handle handle = new Handle();
        handle.holder = (Holder) TransactionSynchronizationManager.getResource(client);
        return handle;
    }

    @Override
    protected boolean isExistingTransaction(Object transaction) {
        return ((Handle) transaction).holder != null;
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {
        int seconds = determineTimeout(definition);
        Duration deadline = seconds == TransactionDefinition.TIMEOUT_DEFAULT
                ? client.options().call().deadline()
                : Duration.ofSeconds(seconds);
        try {
            OpenTransaction open = definition.isReadOnly() ? client.beginRead(deadline) : client.begin(deadline);
            Handle handle = (Handle) transaction;
            handle.holder = new Holder(open);
            TransactionSynchronizationManager.bindResource(client, handle.holder);
        } catch (RccException e) {
            throw new CannotCreateTransactionException("no gateway begins a transaction: " + e.getMessage(), e);
        }
    }

    @Override
    protected void doCommit(DefaultTransactionStatus status) {
        try {
            holder(status).open.commit();
        } catch (TransactionOutcomeUnknownException e) {
            throw new HeuristicCompletionException(HeuristicCompletionException.STATE_UNKNOWN, e);
        } catch (RccException e) {
            throw RccExceptionTranslator.translate(e);
        }
    }

    @Override
    protected void doRollback(DefaultTransactionStatus status) {
        if (!holder(status).open.abortAndAsk()) {
            throw new ConcurrencyFailureException(
                    "the transaction was rolled back because of inconsistent reads: run it again");
        }
    }

    @Override
    protected void doSetRollbackOnly(DefaultTransactionStatus status) {
        holder(status).rollbackOnly = true;
    }

    @Override
    protected Object doSuspend(Object transaction) {
        ((Handle) transaction).holder = null;
        return TransactionSynchronizationManager.unbindResource(client);
    }

    @Override
    protected void doResume(Object transaction, Object suspendedResources) {
        TransactionSynchronizationManager.bindResource(client, suspendedResources);
    }

    @Override
    protected void doCleanupAfterCompletion(Object transaction) {
        TransactionSynchronizationManager.unbindResource(client);
        ((Handle) transaction).holder = null;
    }

    private static Holder holder(DefaultTransactionStatus status) {
        return ((Handle) status.getTransaction()).holder;
    }
}
