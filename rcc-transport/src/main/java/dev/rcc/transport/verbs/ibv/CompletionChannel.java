package dev.rcc.transport.verbs.ibv;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Reports completions in armed completion queues. For one thread that waits; each queue is armed by the thread that
 * polls it.
 */
public final class CompletionChannel extends VerbsResource {
    private static final long POLLIN = 1;
    private static final int POLLFD_EVENTS_SHIFT = 32;
    private static final int POLLFD_REVENTS_SHIFT = 48;
    private static final int FOR_EVER = -1;

    private final VerbsLibrary library;

    CompletionChannel(VerbsDevice device, long address) {
        super("a completion channel", address, device);
        this.library = device.library();
    }

    /** Its file descriptor, which is readable while there is an event. */
    public int fd() {
        return Raw.getInt(address(), CompChannelLayout.FD);
    }

    /**
     * Waits for an event.
     *
     * @return whether there is one; false after {@code timeoutMillis}, or a signal
     */
    public boolean await(int timeoutMillis) {
        try (Arena arena = Arena.ofConfined()) {
            // struct pollfd { int fd; short events, revents; }
            MemorySegment pollfd = arena.allocate(ValueLayout.JAVA_LONG);
            pollfd.set(ValueLayout.JAVA_LONG, 0, POLLIN << POLLFD_EVENTS_SHIFT | fd());
            return library.poll.call(pollfd.address(), 1, timeoutMillis) > 0;
        }
    }

    /**
     * Waits for an event, or until {@code other} is signalled.
     *
     * @return whether there is an event; also false after a signal
     */
    public boolean await(EventDescriptor other) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pollfds = arena.allocate(ValueLayout.JAVA_LONG, 2);
            pollfds.setAtIndex(ValueLayout.JAVA_LONG, 0, POLLIN << POLLFD_EVENTS_SHIFT | fd());
            pollfds.setAtIndex(ValueLayout.JAVA_LONG, 1, POLLIN << POLLFD_EVENTS_SHIFT | other.fd());
            return library.poll.call(pollfds.address(), 2, FOR_EVER) > 0
                    && pollfds.getAtIndex(ValueLayout.JAVA_LONG, 0) >>> POLLFD_REVENTS_SHIFT != 0;
        }
    }

    /** Waits for an event, takes it, and returns the cookie of its queue. That queue can then be armed anew. */
    public long next() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment queue = arena.allocate(ValueLayout.JAVA_LONG);
            MemorySegment cookie = arena.allocate(ValueLayout.JAVA_LONG);
            library.getCqEvent.check(address(), queue.address(), cookie.address());
            library.ackCqEvents.call(queue.get(ValueLayout.JAVA_LONG, 0), 1);
            return cookie.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    @Override
    void destroy(long structAddress) {
        library.destroyCompChannel.check(structAddress);
    }
}
