package dev.rcc.it.client;

import dev.rcc.client.Codec;
import dev.rcc.client.HeldLock;
import dev.rcc.client.KeyType;
import dev.rcc.client.LockMode;
import dev.rcc.client.LockOptions;
import dev.rcc.client.RccClient;
import dev.rcc.client.Table;
import java.time.Duration;

/** A job that any number of programs may start; one program runs it at a time. */
public final class NightlyJob {
    /** A store outside the cluster, which refuses a token that is smaller than one that it has received. */
    @FunctionalInterface
    public interface Store {
        /** Writes, unless a later holder has written. */
        void write(long token, long day);
    }

    private static final Table<Long, Long> STATE = new Table<>("state", KeyType.LONG, Codec.ofLong());

    private final RccClient client;
    private final Store store;

    public NightlyJob(RccClient client, Store store) {
        this.client = client;
        this.store = store;
    }

    public void run(long day) {
        LockOptions options = LockOptions.DEFAULT.wait(Duration.ofSeconds(5)).lease(Duration.ofSeconds(30));
        try (HeldLock lock = client.locks("jobs").lock("nightly", LockMode.EXCLUSIVE, options)) {
            client.execute(txn -> {
                txn.fence(lock); // fails with LOCK_LOST once the lock is lost
                txn.put(STATE, 1L, day);
            });
            store.write(lock.token(), day); // a store outside the cluster checks the token itself
        }
    }
}
