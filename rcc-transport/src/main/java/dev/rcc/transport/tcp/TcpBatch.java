package dev.rcc.transport.tcp;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.worker.Completion;
import dev.rcc.transport.RecordedBatch;
import dev.rcc.transport.tcp.TcpFrames.BadFrame;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * A doorbell batch to another node. Posting writes its work requests into frames, whose results are then taken in the same
 * order; a cursor records the position reached. Used on its endpoint's worker.
 */
final class TcpBatch extends RecordedBatch {
    // The opcodes, for the code that carries them out.
    static final byte OP_READ = READ;
    static final byte OP_WRITE = WRITE;
    static final byte OP_WRITE_WORD = WRITE_WORD;
    static final byte OP_CAS = CAS;
    static final byte OP_FETCH_ADD = FETCH_ADD;

    private final TcpEndpoint endpoint;
    private final Memory buffers;
    private Completion completion;

    // The cursor: first of writing the frames, then of taking their results.
    private int request;
    private int done;

    private int frames;
    private boolean failed;

    TcpBatch(TcpEndpoint endpoint, Memory buffers) {
        super(endpoint.counters());
        this.endpoint = endpoint;
        this.buffers = buffers;
    }

    /** Takes the batch out of the pool. */
    TcpBatch start(int toPeer) {
        open(toPeer);
        return this;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IndexOutOfBoundsException when a local offset is outside the buffers; nothing is posted then
     */
    @Override
    public void post(Completion waiting) {
        close(waiting);
        endpoint.post(this);
    }

    /** The batch is complete, and {@code waiting} waits for it. */
    void close(Completion waiting) {
        assert open : "a batch was posted twice";
        open = false;
        completion = waiting;
    }

    Completion completion() {
        return completion;
    }

    /** Checks the work requests before the batch is posted. */
    void check() {
        for (int i = 0; i < size; i++) {
            Objects.checkFromIndexSize(locals[i], opcodes[i] == WRITE_WORD ? 0 : (long) lengths[i], buffers.size());
        }
    }

    /** Appends the work requests as frames; appends none of them if one is refused. */
    void writeTo(TcpStream stream) {
        int before = stream.out().size;
        boolean written = false;
        try {
            frames = 0;
            failed = false;
            request = 0;
            done = 0;
            do { // an empty batch has a frame too
                writeFrame(stream);
                frames++;
            } while (request < size);
            request = 0;
            done = 0;
            written = true;
        } finally {
            if (!written) {
                stream.out().size = before;
            }
        }
    }

    private void writeFrame(TcpStream stream) {
        int frame = stream.append(TcpFrames.HEADER_BYTES);
        int resultBytes = TcpFrames.HEADER_BYTES;
        int count = 0;
        while (request < size && count < TcpFrames.MAX_COUNT) {
            int bytes = Math.min(lengths[request] - done, TcpFrames.MAX_CHUNK_BYTES);
            byte opcode = opcodes[request];
            int requestBytes = requestBytes(opcode, bytes);
            resultBytes += resultBytes(opcode, bytes);
            if (stream.out().size - frame + requestBytes > TcpFrames.MAX_FRAME_BYTES
                    || resultBytes > TcpFrames.MAX_FRAME_BYTES) {
                break;
            }
            writeRequest(stream, opcode, bytes, requestBytes);
            count++;
            advance(bytes);
        }
        TcpBuffer out = stream.out();
        out.putHeader(frame, out.size - frame, TcpFrames.BATCH, 0, count);
    }

    private void writeRequest(TcpStream stream, byte opcode, int bytes, int requestBytes) {
        int offset = stream.append(requestBytes);
        Memory out = stream.out().memory();
        out.putLong(offset, opcode | ((long) bytes << TcpFrames.OPERATION_BYTES_SHIFT));
        out.putLong(offset + TcpFrames.ADDRESS_OFFSET, addresses[request] + done);
        int operands = offset + TcpFrames.OPERANDS_OFFSET;
        switch (opcode) {
            case READ -> {}
            case WRITE -> {
                if ((bytes & UNALIGNED) != 0) {
                    out.putLong(offset + requestBytes - Memory.WORD_BYTES, 0);
                }
                buffers.copy(locals[request] + done, out, operands, bytes);
            }
            case CAS -> {
                out.putLong(operands, operandOf(request));
                out.putLong(operands + Memory.WORD_BYTES, desired[request]);
            }
            case WRITE_WORD, FETCH_ADD -> out.putLong(operands, operandOf(request));
            default -> throw new AssertionError("opcode " + opcode);
        }
    }

    private long operandOf(int index) {
        return operands[index];
    }

    private void advance(int bytes) {
        done += bytes;
        if (done >= lengths[request]) {
            request++;
            done = 0;
        }
    }

    /** Takes the results of the next frame and returns whether they were the last. */
    boolean take(Memory in, int offset, int length, int status) throws BadFrame {
        int end = offset + length;
        int at = offset + TcpFrames.HEADER_BYTES;
        int requestFrameBytes = TcpFrames.HEADER_BYTES;
        int resultFrameBytes = TcpFrames.HEADER_BYTES;
        int count = 0;
        while (request < size && count < TcpFrames.MAX_COUNT) {
            int bytes = Math.min(lengths[request] - done, TcpFrames.MAX_CHUNK_BYTES);
            byte opcode = opcodes[request];
            int resultBytes = resultBytes(opcode, bytes);
            requestFrameBytes += requestBytes(opcode, bytes);
            resultFrameBytes += resultBytes;
            if (requestFrameBytes > TcpFrames.MAX_FRAME_BYTES || resultFrameBytes > TcpFrames.MAX_FRAME_BYTES) {
                break;
            }
            if (status == TcpFrames.SUCCEEDED) {
                if (at + resultBytes > end) {
                    throw new BadFrame("results of " + length + " bytes, which are too few");
                }
                takeResult(in, at, opcode, bytes);
                at += resultBytes;
            }
            count++;
            advance(bytes);
        }
        if (at != end) {
            throw new BadFrame("results of " + length + " bytes, which are too many");
        }
        failed |= status != TcpFrames.SUCCEEDED;
        return --frames == 0;
    }

    private void takeResult(Memory in, int at, byte opcode, int bytes) {
        switch (opcode) {
            case READ -> {
                if (bytes == Memory.WORD_BYTES) {
                    buffers.segment().set(ValueLayout.JAVA_LONG_UNALIGNED, locals[request] + done, in.getLong(at));
                } else {
                    in.copy(at, buffers, locals[request] + done, bytes);
                }
            }
            case CAS, FETCH_ADD -> buffers.putLong(locals[request], in.getLong(at));
            default -> {}
        }
    }

    /** Whether the peer refused a work request. */
    boolean hasFailed() {
        return failed;
    }

    /** Bytes of a work request in a frame. */
    static int requestBytes(byte opcode, int bytes) {
        return TcpFrames.OPERANDS_OFFSET
                + switch (opcode) {
                    case READ -> 0;
                    case WRITE -> Memory.alignToWord(bytes);
                    case CAS -> 2 * Memory.WORD_BYTES;
                    default -> Memory.WORD_BYTES;
                };
    }

    /** Bytes of a work request's result in a frame. */
    static int resultBytes(byte opcode, int bytes) {
        return switch (opcode) {
            case READ -> Memory.alignToWord(bytes);
            case CAS, FETCH_ADD -> Memory.WORD_BYTES;
            default -> 0;
        };
    }

    @Override
    public String toString() {
        return "batch of " + size + (size == 0 ? "" : " from " + RemoteAddress.toString(addresses[0]) + " on");
    }
}
