package dev.rcc.transport.sockets;

import io.netty.channel.SelectStrategy;
import io.netty.util.IntSupplier;

/**
 * An event loop that has nothing to do lets other threads run, once, and looks for input again before it sleeps. On a busy machine, input has often
 * arrived by then: so no thread has to wake the loop, and what arrived together is handled together. On an idle machine, this costs a microsecond for
 * each sleep.
 */
final class YieldFirst implements SelectStrategy {
    static final SelectStrategy INSTANCE = new YieldFirst();

    private YieldFirst() {}

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // only faster: nothing depends on it
    public int calculateStrategy(IntSupplier look, boolean hasTasks) throws Exception {
        if (hasTasks) {
            return look.get();
        }
        Thread.yield();
        int ready = look.get();
        return ready > 0 ? ready : SELECT;
    }
}
