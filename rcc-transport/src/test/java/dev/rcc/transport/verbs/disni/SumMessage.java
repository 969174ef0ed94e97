package dev.rcc.transport.verbs.disni;

import com.ibm.darpc.DaRPCMessage;
import com.ibm.darpc.DaRPCProtocol;
import java.nio.ByteBuffer;

/** A message of DaRPC's test: a request of two numbers, or a response with their sum. */
final class SumMessage implements DaRPCMessage {
    static final int BYTES = 16;

    long first;
    long second;

    @Override
    public int write(ByteBuffer buffer) {
        buffer.putLong(first);
        buffer.putLong(second);
        return BYTES;
    }

    @Override
    public void update(ByteBuffer buffer) {
        first = buffer.getLong();
        second = buffer.getLong();
    }

    @Override
    public int size() {
        return BYTES;
    }

    /** Creates the requests and responses. */
    static class Protocol implements DaRPCProtocol<SumMessage, SumMessage> {
        @Override
        public SumMessage createRequest() {
            return new SumMessage();
        }

        @Override
        public SumMessage createResponse() {
            return new SumMessage();
        }
    }
}
