package dev.rcc.bench.verify.clients;

import dev.rcc.client.Codec;
import dev.rcc.client.Transaction;
import dev.rcc.client.procedure.KeySet;
import dev.rcc.client.procedure.ProcedureException;
import dev.rcc.client.procedure.ProcedureType;
import dev.rcc.client.procedure.StoredProcedure;
import dev.rcc.server.procedure.Procedures;
import java.util.List;

/** The stored procedures that simulated clients call. The argument is a record; they write one with its key and its writer. */
final class ClientProcedures {
    /** Increments a record's count; returns the new count. */
    static final String ADD = "add";
    /** Removes an ordered record and returns its count; fails if there is none. */
    static final String TAKE = "take";

    static final int ARGUMENT_BYTES = ClientRecord.BYTES;

    private ClientProcedures() {}

    static Procedures all() {
        return Procedures.of(List.of(new Add(), new Take()));
    }

    private record Add() implements StoredProcedure<byte[], Long> {
        @Override
        public ProcedureType<byte[], Long> type() {
            return ProcedureType.of(ADD, Codec.ofBytes(ARGUMENT_BYTES), Codec.ofLong());
        }

        @Override
        public Long run(Transaction txn, byte[] argument) {
            ClientRecord mine = ClientRecord.of(argument);
            long count = 1
                    + txn.getForUpdate(ClientTables.HASHED_TABLE, mine.key())
                            .map(record -> ClientRecord.of(record).count())
                            .orElse(0L);
            txn.put(
                    ClientTables.HASHED_TABLE,
                    mine.key(),
                    new ClientRecord(mine.writer(), count, mine.key()).toArray());
            return count;
        }

        /** Declares every other key only, so that some calls find their keys at run time. */
        @Override
        public void declare(KeySet keys, byte[] argument) {
            ClientRecord mine = ClientRecord.of(argument);
            if ((mine.key() & 1) == 0) {
                keys.update(ClientTables.HASHED_TABLE, mine.key());
            }
        }
    }

    private record Take() implements StoredProcedure<byte[], Long> {
        @Override
        public ProcedureType<byte[], Long> type() {
            return ProcedureType.of(TAKE, Codec.ofBytes(ARGUMENT_BYTES), Codec.ofLong());
        }

        @Override
        public Long run(Transaction txn, byte[] argument) {
            ClientRecord mine = ClientRecord.of(argument);
            ClientRecord taken = txn.get(ClientTables.ORDERED_TABLE, mine.key())
                    .map(ClientRecord::of)
                    .orElseThrow(() -> new ProcedureException("nothing is left"));
            txn.delete(ClientTables.ORDERED_TABLE, mine.key());
            txn.put(ClientTables.HASHED_TABLE, mine.key(), argument);
            return taken.count();
        }
    }
}
