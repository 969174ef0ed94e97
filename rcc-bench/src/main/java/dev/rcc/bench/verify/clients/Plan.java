package dev.rcc.bench.verify.clients;

import dev.rcc.bench.verify.clients.AppliedCommits.Applied;
import dev.rcc.bench.verify.clients.AppliedCommits.RecordKey;
import dev.rcc.client.wire.Bound;
import dev.rcc.client.wire.CommitId;
import dev.rcc.client.wire.Key;
import dev.rcc.server.gateway.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A client's plan for one transaction, the same in each attempt. */
sealed interface Plan {
    /** Whether the plan writes, and so commits under a name. */
    boolean writes();

    /** The result that a call in a commit's name must have returned if it had this effect. */
    default long result(Applied applied, AppliedCommits all, CommitId id) {
        throw new IllegalStateException("only calls return something");
    }

    /**
     * One request after the other, and then a commit.
     *
     * @param operations the operations to request
     * @param writes whether some operation writes
     * @param isPipelined whether all requests are sent at once
     * @param givesUp whether the client aborts instead of the commit
     */
    record Interactive(List<Operation> operations, boolean writes, boolean isPipelined, boolean givesUp)
            implements Plan {
        /** Whether some operation observes whether there is a record, or reads it. */
        boolean reads() {
            return operations.stream().anyMatch(operation -> !(operation instanceof Operation.Put));
        }
    }

    /**
     * A call of a stored procedure.
     *
     * @param procedure the procedure's name
     * @param argument a record; the procedure writes one with its key and its writer
     */
    record Call(String procedure, ClientRecord argument) implements Plan {
        @Override
        public boolean writes() {
            return true;
        }

        @Override
        public long result(Applied applied, AppliedCommits all, CommitId id) {
            if (procedure.equals(ClientProcedures.TAKE)) {
                RecordKey taken = new RecordKey(ClientTables.ORDERED, argument.key());
                return all.read(taken, applied.reads().get(taken)).count();
            }
            return all.read(new RecordKey(ClientTables.HASHED, argument.key()), applied.commitTs())
                    .count();
        }
    }

    /**
     * One operation, sent as a whole transaction.
     *
     * @param operation the operation
     * @param writes whether it may write
     */
    record Single(Operation operation, boolean writes) implements Plan {}

    private static <T> T pick(SplittableRandom random, List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    /** Draws a plan, which writes in a commit's name if it writes. */
    static Plan draw(SplittableRandom random, CommitId id) {
        int kind = random.nextInt(10);
        if (kind < 3) {
            long key = random.nextInt(ClientTables.KEYS);
            String name = pick(random, List.of(ClientProcedures.ADD, ClientProcedures.ADD, ClientProcedures.TAKE));
            return new Call(name, new ClientRecord(id, random.nextInt(100), key));
        }
        boolean writes = random.nextInt(4) > 0;
        if (kind == 3) {
            return new Single(writes ? any(random, id) : read(random, false), writes);
        }
        List<Operation> operations = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            operations.add(writes ? any(random, id) : read(random, false));
        }
        if (writes) { // so that the commit leaves a record in its name
            operations.add(put(random, ClientTables.HASHED, id));
        }
        return new Interactive(operations, writes, random.nextInt(3) == 0, random.nextInt(20) == 0);
    }

    private static Operation any(SplittableRandom random, CommitId id) {
        int table = random.nextInt(ClientTables.USER_TABLES);
        long key = random.nextInt(ClientTables.KEYS);
        return switch (random.nextInt(9)) {
            case 0 -> put(random, table, id);
            case 1 -> patch((Operation.Put) put(random, table, id));
            case 2 ->
                new Operation.Insert(table, Key.of(key), new ClientRecord(id, random.nextInt(100), key).toBytes());
            case 3, 4 -> new Operation.Delete(table, Key.of(key));
            default -> read(random, random.nextInt(3) == 0);
        };
    }

    /** A patch that writes the same record as a put, if there is a record. */
    private static Operation patch(Operation.Put put) {
        ClientRecord record = ClientRecord.of(put.value().unsafeArray());
        return new Operation.PatchRecord(put.table(), put.key(), record.toPatch());
    }

    private static Operation put(SplittableRandom random, int table, CommitId id) {
        long key = random.nextInt(ClientTables.KEYS);
        return new Operation.Put(table, Key.of(key), new ClientRecord(id, random.nextInt(100), key).toBytes());
    }

    private static Operation read(SplittableRandom random, boolean forUpdate) {
        long key = random.nextInt(ClientTables.KEYS);
        if (random.nextInt(4) > 0) {
            int table = random.nextInt(ClientTables.USER_TABLES);
            return new Operation.Get(table, Key.of(key), forUpdate);
        }
        Bound from = Bound.with(Key.of(key));
        Bound to = Bound.with(Key.of(key + random.nextInt(ClientTables.KEYS)));
        int limit = 1 + random.nextInt(ClientTables.KEYS);
        boolean descending = limit % 2 == 0; // not drawn, so that seeds draw what they always did
        return new Operation.Scan(ClientTables.ORDERED, descending, from, to, limit, forUpdate);
    }
}
