package dev.rcc.transport.tcp;

import java.util.concurrent.atomic.LongAdder;

/** Counts the plaintext bytes of data connections: once for each read and each write of a socket. */
final class TcpTraffic {
    private final LongAdder sent = new LongAdder();
    private final LongAdder received = new LongAdder();

    void sent(int bytes) {
        sent.add(bytes);
    }

    void received(int bytes) {
        received.add(bytes);
    }

    long sent() {
        return sent.sum();
    }

    long received() {
        return received.sum();
    }
}
