package dev.rcc.client.spring;

import dev.rcc.client.BadRequestException;
import dev.rcc.client.ConflictException;
import dev.rcc.client.DeadlineExceededException;
import dev.rcc.client.ErrorCode;
import dev.rcc.client.LockException;
import dev.rcc.client.PermissionException;
import dev.rcc.client.ProcedureFailedException;
import dev.rcc.client.RccException;
import dev.rcc.client.RecordExistsException;
import dev.rcc.client.RecordNotFoundException;
import dev.rcc.client.ResultLostException;
import dev.rcc.client.ServerException;
import dev.rcc.client.TransactionOutcomeUnknownException;
import dev.rcc.client.UnavailableException;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.EmptyResultDataAccessException;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.dao.NonTransientDataAccessResourceException;
import org.springframework.dao.PermissionDeniedDataAccessException;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.dao.support.PersistenceExceptionTranslator;

/**
 * Translates the client's exceptions to Spring's. The cause is always the client's own exception, with its code. If the operation may succeed when
 * it is run again, the exception is a {@code TransientDataAccessException}. As a bean, the translator serves {@code @Repository} classes that
 * use {@code RccClient} themselves. For any thread.
 */
public final class RccExceptionTranslator implements PersistenceExceptionTranslator {
    /** Creates a translator. */
    public RccExceptionTranslator() {}

    /** Returns Spring's exception for an exception of the client, or null for any other exception. */
    @Override
    public DataAccessException translateExceptionIfPossible(RuntimeException e) {
        return e instanceof RccException ours ? translate(ours) : null;
    }

    static DataAccessException translate(RccException e) {
        String message = e.getMessage();
        return switch (e) {
            case ConflictException conflict -> new ConcurrencyFailureException(message, e);
            case DeadlineExceededException deadline -> new QueryTimeoutException(message, e);
            case TransactionOutcomeUnknownException unknown -> new DataAccessResourceFailureException(message, e);
            case ResultLostException lost -> new DataAccessResourceFailureException(message, e);
            case ProcedureFailedException refused -> new InvalidDataAccessApiUsageException(message, e);
            case RecordNotFoundException missing -> new EmptyResultDataAccessException(message, 1, e);
            case RecordExistsException exists -> new DuplicateKeyException(message, e);
            case BadRequestException wrong ->
                wrong.code() == ErrorCode.NO_SUCH_TABLE
                        ? new InvalidDataAccessResourceUsageException(message, e)
                        : new InvalidDataAccessApiUsageException(message, e);
            case PermissionException denied -> new PermissionDeniedDataAccessException(message, e);
            case UnavailableException unavailable ->
                unavailable.isRetryable()
                        ? new TransientDataAccessResourceException(message, e)
                        : new NonTransientDataAccessResourceException(message, e);
            case LockException lock -> new PessimisticLockingFailureException(message, e);
            case ServerException failed -> new NonTransientDataAccessResourceException(message, e);
        };
    }
}
