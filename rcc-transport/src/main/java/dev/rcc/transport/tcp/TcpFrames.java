package dev.rcc.transport.tcp;

/**
 * The frames of data connections after the {@linkplain dev.rcc.transport.handshake handshake}. Little-endian; every frame is a
 * multiple of 8 bytes long, so that words stay aligned:
 * <pre>
 *   0               4      5      6       8
 *  +---------------+------+------+-------+-----------------------------------------------------------------------+
 *  | length (4)    | type | a    | b (2) | body, filled up with zeros to a multiple of 8                         |
 *  +---------------+------+------+-------+-----------------------------------------------------------------------+
 *   WELCOME          magic (8)
 *   REQUEST a=rpc    call (4), request bytes (4), room for the reply (4), 0 (4), request
 *   REPLY   a=status call (4), reply bytes (4), reply
 *   BATCH   b=count  work requests
 *   RESULTS a=status results of READs, each filled up to a multiple of 8, and of CASs and FETCH_ADDs, 8 each, in order;
 *                    none if the status is not 0
 *
 *   work request     opcode (1), 0 (3), length (4), address (8), then
 *                    WRITE: the bytes, filled up; WRITE_WORD: the word; CAS: expected, desired; FETCH_ADD: delta
 * </pre>
 *
 * A batch whose requests or results would make a frame of more than {@value #MAX_FRAME_BYTES} bytes is sent as several frames. A READ
 * or WRITE of more than {@value #MAX_CHUNK_BYTES} bytes is sent as several work requests.
 */
final class TcpFrames {
    static final byte WELCOME = 2;
    static final byte REQUEST = 3;
    static final byte REPLY = 4;
    static final byte BATCH = 5;
    static final byte RESULTS = 6;

    static final byte SUCCEEDED = 0;
    static final byte FAILED = 1;

    static final long MAGIC = 0x5243_4320_4441_5441L; // "RCC DATA"

    // Bit positions of the parts of a frame's first word.
    static final int TYPE_SHIFT = 32;
    static final int A_SHIFT = 40;
    static final int B_SHIFT = 48;

    static final int HEADER_BYTES = 8;

    static final int WELCOME_MAGIC_OFFSET = HEADER_BYTES;
    static final int WELCOME_BYTES = 16;
    static final int TOKEN_BYTES = 16;

    static final int CALL_OFFSET = HEADER_BYTES;
    static final int PAYLOAD_BYTES_OFFSET = 12;
    static final int REPLY_ROOM_OFFSET = 16;
    static final int REQUEST_HEADER_BYTES = 24;
    static final int REPLY_HEADER_BYTES = 16;

    /** Bit position of the length in a work request's first word; the opcode is at 0. */
    static final int OPERATION_BYTES_SHIFT = 32;

    static final int ADDRESS_OFFSET = 8;
    static final int OPERANDS_OFFSET = 16;

    /** Longest frame. */
    static final int MAX_FRAME_BYTES = 1 << 20;
    /** Longest piece of a READ or WRITE. */
    static final int MAX_CHUNK_BYTES = 1 << 18;
    /** Most work requests of a frame. */
    static final int MAX_COUNT = 0x7FFF;
    /** Longest request or reply of an RPC. */
    static final int MAX_MESSAGE_BYTES = MAX_FRAME_BYTES - REQUEST_HEADER_BYTES;

    private TcpFrames() {}

    /** The received bytes are no frame, or a frame that is not expected here. */
    static final class BadFrame extends Exception {
        private static final long serialVersionUID = 1L;

        BadFrame(String message) {
            super(message, null, false, false);
        }
    }
}
