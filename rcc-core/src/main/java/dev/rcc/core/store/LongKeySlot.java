package dev.rcc.core.store;

import dev.rcc.core.memory.Memory;

/** Slots of 64-bit keys. */
final class LongKeySlot extends KeySlot {
    LongKeySlot() {
        super(Memory.WORD_BYTES, Memory.WORD_BYTES);
    }

    @Override
    public int compare(Memory a, long aOffset, Memory b, long bOffset) {
        return Long.compare(a.getLong(aOffset), b.getLong(bOffset));
    }

    @Override
    public void copy(Memory from, long fromOffset, Memory to, long toOffset) {
        to.putLong(toOffset, from.getLong(fromOffset));
    }

    @Override
    public void putLeast(Memory memory, long offset) {
        memory.putLong(offset, Long.MIN_VALUE);
    }

    @Override
    public void putGreatest(Memory memory, long offset) {
        memory.putLong(offset, Long.MAX_VALUE);
    }

    @Override
    public void putPredecessor(Memory of, long ofOffset, Memory to, long toOffset) {
        to.putLong(toOffset, of.getLong(ofOffset) - 1);
    }

    @Override
    public void putPrefix(Memory of, long ofOffset, int prefixBytes, Memory to, long toOffset) {
        to.putLong(toOffset, of.getLong(ofOffset) & -1L << (Long.SIZE - prefixBytes * Byte.SIZE));
    }

    @Override
    public boolean isPredecessor(Memory a, long aOffset, Memory b, long bOffset) {
        long key = a.getLong(aOffset);
        return key != Long.MAX_VALUE && key + 1 == b.getLong(bOffset);
    }

    @Override
    boolean isKey(Memory memory, long offset) {
        return true;
    }

    @Override
    public long hash(Table table, Memory memory, long offset) {
        return table.keyHash(memory.getLong(offset));
    }

    @Override
    public void putIdentity(Memory memory, long offset, Memory to, long identityOffset) {
        to.putLong(identityOffset, TupleLayout.liveHeader(Long.BYTES));
        to.putLong(identityOffset + Memory.WORD_BYTES, memory.getLong(offset));
    }

    @Override
    public String describe(Memory memory, long offset) {
        return Long.toString(memory.getLong(offset));
    }
}
