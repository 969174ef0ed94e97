package dev.rcc.protocols.mvcc;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.AbortReasons;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.Calls;
import dev.rcc.protocols.common.IndexProbe;
import dev.rcc.protocols.common.Refusal;
import dev.rcc.protocols.mvcc.Reading.Step;
import dev.rcc.protocols.optimistic.StageContext;

/**
 * The fetch stage by RPC: participants read for the coordinator ({@link MvccParticipant}). A participant never waits; where
 * there is an earlier writer, the coordinator waits and asks again.
 */
final class RpcReading {
    private final Transaction txn;
    private final Readings readings;
    private final Memory buffers;
    private final Calls calls;
    private final AbortReasons reasons;

    RpcReading(StageContext context, Readings readings) {
        this.txn = context.txn();
        this.readings = readings;
        this.buffers = context.worker().buffers();
        this.calls = context.calls();
        this.reasons = context.worker().abortReasons();
    }

    /** Carries out the readings from number {@code first} on; false if the attempt must abort, with the reason set. */
    boolean read(int first) {
        BufferSlice buffer = txn.buffer();
        long messages = buffer.allocate(0);
        while (layOutUnfinished(first)) {
            if (calls.callAndAwait(MvccParticipant.READ, txn.completion())) {
                for (int i = 0; i < calls.targets(); i++) {
                    readReply(first, calls.target(i));
                }
            } else {
                txn.abort(AbortReason.PEER_UNREACHABLE);
            }
            calls.clear();
            buffer.giveBack(messages);
            if (txn.abortReason() == null) {
                readings.waitIfNeeded();
            }
        }
        return txn.abortReason() == null;
    }

    private boolean layOutUnfinished(int first) {
        for (int i = first; i < readings.size() && txn.abortReason() == null; i++) {
            Access access = readings.get(i).access;
            if (readings.get(i).step != Step.DONE) {
                calls.measure(
                        access.node(),
                        ReadMessage.requestBytes(access.layout()),
                        ReadMessage.replyBytes(access.layout(), access.intent()));
            }
        }
        if (calls.isEmpty()) {
            return false;
        }
        calls.begin(txn.id());
        for (int i = first; i < readings.size(); i++) {
            Access access = readings.get(i).access;
            if (readings.get(i).step != Step.DONE) {
                ReadMessage.encode(
                        buffers, calls.item(access.node(), ReadMessage.requestBytes(access.layout())), access);
            }
        }
        return true;
    }

    private void readReply(int first, int node) {
        long item = calls.replyOffset(node) + Memory.WORD_BYTES;
        for (int i = first; i < readings.size(); i++) {
            Reading reading = readings.get(i);
            if (reading.access.node() == node && reading.step != Step.DONE) {
                decode(item, reading);
                item += ReadMessage.replyBytes(reading.access.layout(), reading.access.intent());
            }
        }
    }

    private void decode(long item, Reading reading) {
        readings.observe(ReadMessage.latest(buffers, item));
        int result = ReadMessage.result(buffers, item);
        switch (result) {
            case ReadMessage.FOUND -> found(item, reading);
            case ReadMessage.ABSENT -> {
                reading.step = Step.DONE;
                reading.confirmed = !reading.writesIfAbsent();
                reading.entry.foundNothing(
                        IndexProbe.leafAddress(reading.access), ReadMessage.version(buffers, item), MvccLayout.FREE);
            }
            case ReadMessage.PENDING -> abortUnless(readings.mayWait(reading), Mvcc.PENDING_WRITER);
            case ReadMessage.BUSY -> abortUnless(readings.mayTryAgain(reading), Mvcc.PENDING_WRITER);
            default -> txn.abort(Refusal.reason(result, reasons));
        }
    }

    private void found(long item, Reading reading) {
        Access access = reading.access;
        TupleLayout t = access.layout();
        long image = access.imageOffset();
        if (!access.isBlind()) {
            buffers.copy(ReadMessage.recordOffset(item), buffers, image + t.recordOffset(), t.recordBytes());
        }
        buffers.putLong(image + t.versionOffset(), ReadMessage.version(buffers, item));
        access.tupleAddress(
                access.table().address(access.node(), access.partition(), ReadMessage.tupleOffset(buffers, item)));
        reading.step = Step.DONE;
        reading.confirmed = !reading.writesIfFound();
        reading.entry.foundTuple(ReadMessage.version(buffers, item), MvccLayout.FREE);
    }

    private void abortUnless(boolean goesOn, AbortReason reason) {
        if (!goesOn) {
            txn.abort(reason);
        }
    }
}
