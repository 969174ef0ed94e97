package dev.rcc.transport.tcp;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.transport.Regions;
import dev.rcc.transport.tcp.TcpFrames.BadFrame;
import io.netty.channel.EventLoop;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's end of a connection from a peer's worker. An I/O thread carries the worker's batches out on the registered
 * memory. It keeps the order that batches promise as {@link DirectBatch} explains.
 *
 * <p>While the peer does not take the results, the server reads no more batches. So it keeps only the results that are being
 * sent and those collected for the next write.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Netty logs its tasks' exceptions
final class TcpMemoryServer implements TcpStream.Receiver {
    private static final Logger LOG = LoggerFactory.getLogger(TcpMemoryServer.class);

    /** Bytes of results to collect for one write. */
    private static final int RESULTS_BYTES_MAX = 1 << 18;

    private final TcpFabric fabric;
    private final TcpLink link;
    private final TcpStream stream;
    private boolean blocked;
    private long blocks;

    TcpMemoryServer(TcpFabric fabric, TcpLink link, TcpStream stream) {
        this.fabric = fabric;
        this.link = link;
        this.stream = stream;
    }

    /** Takes the connection over, on its thread. */
    void begin() {
        stream.tellDrained();
        stream.channel().config().setAutoRead(true);
        arrived(stream);
    }

    @Override
    public void arrived(TcpStream from) {
        boolean full;
        do {
            stream.goOn();
            stream.process();
            full = stream.isStopped();
            stream.flush();
            if (full && stream.out().size > 0) {
                block();
                return;
            }
        } while (full);
    }

    private void block() {
        blocked = true;
        stream.channel().config().setAutoRead(false);
        giveUpLater(++blocks);
    }

    /** Ends the connection once the peer has taken no byte of the results for the stall timeout. */
    private void giveUpLater(long block) {
        EventLoop thread = stream.channel().eventLoop();
        long stallNanos = fabric.options().stallTimeout().toNanos();
        if (stream.isStalled(thread.ticker().nanoTime(), stallNanos)) {
            stream.reject("it has read no results for " + fabric.options().stallTimeout());
            return;
        }
        thread.schedule(
                () -> {
                    if (blocked && block == blocks) {
                        giveUpLater(block);
                    }
                },
                stallNanos,
                TimeUnit.NANOSECONDS);
    }

    @Override
    public void drained(TcpStream from) {
        if (stream.out().size > 0) {
            stream.channel().eventLoop().execute(this::goOn); // not from within Netty's flush
        }
    }

    private void goOn() {
        if (!blocked) {
            stream.flush();
        } else if (!stream.hasEnded()) {
            blocked = false;
            arrived(stream);
            if (!blocked) {
                stream.channel().config().setAutoRead(true);
            }
        }
    }

    @Override
    public void ended(TcpStream from, String reason, boolean misbehaved) {
        link.fail(reason, misbehaved);
    }

    @Override
    public void frame(Memory in, int offset, int length) throws BadFrame {
        if (link.hasFailed()) { // the peer may have been cut off
            stream.end("its link has failed");
            return;
        }
        long header = in.getLong(offset);
        byte type = (byte) (header >>> TcpFrames.TYPE_SHIFT);
        int count = (int) (header >>> TcpFrames.B_SHIFT) & 0xFFFF;
        if (type != TcpFrames.BATCH) {
            throw new BadFrame("of type " + type + ", when batches are to come");
        }
        int results = stream.append(TcpFrames.HEADER_BYTES);
        boolean succeeded = carryOut(in, offset + TcpFrames.HEADER_BYTES, offset + length, count, results);
        TcpBuffer out = stream.out();
        if (!succeeded) {
            out.size = results + TcpFrames.HEADER_BYTES;
        }
        out.putHeader(
                results,
                out.size - results,
                TcpFrames.RESULTS,
                succeeded ? TcpFrames.SUCCEEDED : TcpFrames.FAILED,
                count);
        if (out.size >= RESULTS_BYTES_MAX) {
            stream.stop();
        }
    }

    /** Carries the work requests out. Stops and returns false at the first one whose address is not in this node's memory. */
    private boolean carryOut(Memory in, int begin, int end, int count, int results) throws BadFrame {
        Memory[] regions = fabric.regions();
        boolean unfenced = false;
        boolean succeeded = true;
        int at = begin;
        for (int i = 0; i < count; i++) {
            if (end - at < TcpFrames.OPERANDS_OFFSET) {
                throw new BadFrame("it ends within work request " + i + " of " + count);
            }
            long word = in.getLong(at);
            byte opcode = (byte) word;
            int bytes = (int) (word >>> TcpFrames.OPERATION_BYTES_SHIFT);
            checkRequest(opcode, bytes, i);
            int requestBytes = TcpBatch.requestBytes(opcode, bytes);
            if (end - at < requestBytes) {
                throw new BadFrame("it ends within work request " + i + " of " + count);
            }
            int resultBytes = TcpBatch.resultBytes(opcode, bytes);
            if (stream.out().size - results + resultBytes > TcpFrames.MAX_FRAME_BYTES) {
                throw new BadFrame("its results do not fit into a frame");
            }
            long address = in.getLong(at + TcpFrames.ADDRESS_OFFSET);
            long offset = RemoteAddress.offset(address);
            Memory target = target(regions, address, opcode, bytes);
            if (target == null) {
                succeeded = false;
                break;
            }
            int operands = at + TcpFrames.OPERANDS_OFFSET;
            switch (opcode) {
                case TcpBatch.OP_READ -> {
                    if (unfenced) {
                        VarHandle.fullFence();
                        unfenced = false;
                    }
                    int result = stream.append(resultBytes);
                    read(target, offset, bytes, stream.out().memory(), result, resultBytes);
                }
                case TcpBatch.OP_WRITE -> {
                    write(in, operands, bytes, target, offset);
                    unfenced = true;
                }
                case TcpBatch.OP_WRITE_WORD -> {
                    target.putRelease(offset, in.getLong(operands));
                    unfenced = true;
                }
                case TcpBatch.OP_CAS -> {
                    int result = stream.append(resultBytes);
                    long found = target.compareAndExchange(
                            offset, in.getLong(operands), in.getLong(operands + Memory.WORD_BYTES));
                    stream.out().memory().putLong(result, found);
                    unfenced =
                            true; // an atomic is no full fence where it only orders like a volatile access, as on ARM
                }
                default -> {
                    int result = stream.append(resultBytes);
                    stream.out().memory().putLong(result, target.getAndAdd(offset, in.getLong(operands)));
                    unfenced = true;
                }
            }
            at += requestBytes;
        }
        if (unfenced) {
            VarHandle.fullFence();
        }
        if (succeeded && at != end) {
            throw new BadFrame("it goes on behind its last work request");
        }
        return succeeded;
    }

    private static void checkRequest(byte opcode, int bytes, int index) throws BadFrame {
        if (opcode < TcpBatch.OP_READ || opcode > TcpBatch.OP_FETCH_ADD) {
            throw new BadFrame("work request " + index + " has opcode " + opcode);
        }
        boolean sized = opcode == TcpBatch.OP_READ || opcode == TcpBatch.OP_WRITE;
        if (sized ? bytes < 0 || bytes > TcpFrames.MAX_CHUNK_BYTES : bytes != Memory.WORD_BYTES) {
            throw new BadFrame("work request " + index + " has a length of " + bytes + " bytes");
        }
    }

    /** The memory that a work request addresses, or null if this node has no such memory. */
    private Memory target(Memory[] regions, long address, byte opcode, int bytes) {
        Memory target = RemoteAddress.node(address) == fabric.node()
                ? Regions.find(regions, RemoteAddress.region(address))
                : null;
        long offset = RemoteAddress.offset(address);
        boolean word = opcode != TcpBatch.OP_READ && opcode != TcpBatch.OP_WRITE;
        if (target == null || offset > target.size() - bytes || (word && (offset & (Memory.WORD_BYTES - 1)) != 0)) {
            if (fabric.logs().admit() >= 0) {
                LOG.error(
                        "event=bad_address peer={} bytes={} address={} node={}: the node has no such memory",
                        link.peer(),
                        bytes,
                        RemoteAddress.toString(address),
                        fabric.node());
            }
            return null;
        }
        return target;
    }

    private static void read(Memory source, long offset, int bytes, Memory out, int result, int resultBytes) {
        if (bytes < resultBytes) {
            out.putLong(result + resultBytes - Memory.WORD_BYTES, 0);
        }
        source.copyAsRead(offset, out, result, bytes);
    }

    private static void write(Memory in, int operands, int bytes, Memory target, long offset) {
        if (bytes == Memory.WORD_BYTES && (offset & (Memory.WORD_BYTES - 1)) == 0) {
            target.putRelease(offset, in.segment().get(ValueLayout.JAVA_LONG, operands));
        } else {
            VarHandle.releaseFence();
            in.copy(operands, target, offset, bytes);
        }
    }
}
