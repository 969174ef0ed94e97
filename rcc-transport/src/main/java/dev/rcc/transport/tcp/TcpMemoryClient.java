package dev.rcc.transport.tcp;

import dev.rcc.core.memory.Memory;
import dev.rcc.transport.tcp.TcpFrames.BadFrame;

/**
 * A worker's end of the connection on which it has a peer carry out its batches. Results come in the order of the batches, and
 * only the order identifies them. While the peer takes nothing and too much is unsent for it, further batches wait.
 */
final class TcpMemoryClient implements TcpStream.Receiver {
    private final TcpEndpoint endpoint;
    private final TcpLink link;
    private final TcpStream stream;

    /** A ring of the batches whose results have not come. */
    private TcpBatch[] posted = new TcpBatch[16];

    private int head;
    private int count;
    /** How many of them, the last ones, have not been written to the stream. */
    private int held;

    TcpMemoryClient(TcpEndpoint endpoint, TcpLink link, TcpStream stream) {
        this.endpoint = endpoint;
        this.link = link;
        this.stream = stream;
    }

    TcpLink link() {
        return link;
    }

    /** Sends a batch with the next flush, or once there is room. */
    void post(TcpBatch batch) {
        batch.check();
        if (held > 0 || !hasRoom()) {
            held++;
        } else {
            batch.writeTo(stream);
            endpoint.toFlush(stream);
        }
        if (count == posted.length) {
            grow();
        }
        posted[(head + count++) & (posted.length - 1)] = batch;
    }

    private boolean hasRoom() {
        return stream.out().size <= TcpEndpoint.MAX_UNSENT_BYTES;
    }

    /** Writes the batches that wait, as long as there is room. At the latest, there is when the last result of those before has come. */
    private void writeHeld() {
        while (held > 0 && hasRoom()) {
            posted[(head + count - held) & (posted.length - 1)].writeTo(stream);
            held--;
            endpoint.toFlush(stream);
        }
    }

    private void grow() {
        TcpBatch[] longer = new TcpBatch[2 * count];
        for (int i = 0; i < count; i++) {
            longer[i] = posted[(head + i) & (count - 1)];
        }
        posted = longer;
        head = 0;
    }

    @Override
    public void arrived(TcpStream from) {
        endpoint.toProcess(from);
    }

    @Override
    public void waiting(TcpStream from) {
        endpoint.toFlush(from);
    }

    @Override
    public void frame(Memory in, int offset, int length) throws BadFrame {
        long header = in.getLong(offset);
        byte type = (byte) (header >>> TcpFrames.TYPE_SHIFT);
        int status = (int) (header >>> TcpFrames.A_SHIFT) & 0xFF;
        if (type != TcpFrames.RESULTS || count == held) {
            throw new BadFrame("of type " + type + ", when the results of " + (count - held) + " batches are to come");
        }
        TcpBatch batch = posted[head];
        if (batch.take(in, offset, length, status)) {
            removeFirst();
            endpoint.finish(batch, batch.hasFailed());
        }
        writeHeld();
    }

    private TcpBatch removeFirst() {
        TcpBatch batch = posted[head];
        posted[head] = null;
        head = (head + 1) & (posted.length - 1);
        count--;
        return batch;
    }

    /** Fails all outstanding batches. */
    void fail() {
        held = 0;
        while (count > 0) {
            endpoint.finish(removeFirst(), true);
        }
    }

    @Override
    public void ended(TcpStream from, String reason, boolean misbehaved) {
        link.fail(reason, misbehaved);
    }
}
