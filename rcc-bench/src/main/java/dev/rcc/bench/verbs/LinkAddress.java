package dev.rcc.bench.verbs;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * The data of one side of a connection that the other side needs.
 *
 * @param queuePair number of its queue pair
 * @param psn number of its first packet
 * @param lid local identifier of its port
 * @param gidHigh first half of the port's global identifier
 * @param gidLow second half of it
 * @param buffer address of its memory
 * @param rkey remote key of its memory
 */
record LinkAddress(int queuePair, int psn, int lid, long gidHigh, long gidLow, long buffer, int rkey) {
    void write(DataOutput out) throws IOException {
        out.writeInt(queuePair);
        out.writeInt(psn);
        out.writeInt(lid);
        out.writeLong(gidHigh);
        out.writeLong(gidLow);
        out.writeLong(buffer);
        out.writeInt(rkey);
    }

    static LinkAddress read(DataInput in) throws IOException {
        return new LinkAddress(
                in.readInt(), in.readInt(), in.readInt(), in.readLong(), in.readLong(), in.readLong(), in.readInt());
    }
}
