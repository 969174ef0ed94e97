package dev.rcc.it.client;

import dev.rcc.client.Codec;
import dev.rcc.client.HeldLock;
import dev.rcc.client.KeyType;
import dev.rcc.client.LockMode;
import dev.rcc.client.LockOptions;
import dev.rcc.client.RccClient;
import dev.rcc.client.Table;
import java.time.Duration;

/** A job that any number of programs may begin, and that one does at a time. */
public final class NightlyJob {
    /** What is not in the cluster: refuses tokens that are smaller than one that it has seen. */
    @FunctionalInterface
    public interface Store {
        /** Writes, if no later holder has. */
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
                txn.fence(lock); // LOCK_LOST once it is lost
                txn.put(STATE, 1L, day);
            });
            store.write(lock.token(), day); // what is not in the cluster looks at the token itself
        }
    }
}
