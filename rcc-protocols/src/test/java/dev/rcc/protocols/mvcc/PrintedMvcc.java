package dev.rcc.protocols.mvcc;

import dev.rcc.core.protocol.Protocol;
import dev.rcc.protocols.common.RoundTrips;

/**
 * MVCC with the error of the printed protocol (rcc, 4.4): a one-sided reader reads the record twice and raises its {@code rts} afterwards. A writer
 * in between misses the reader, and the reader misses the writer. For tests that must find this error; the fetch stage has to be one-sided.
 */
public final class PrintedMvcc {
    private PrintedMvcc() {}

    /** The printed protocol with these options. */
    public static Protocol with(MvccOptions options) {
        return new Mvcc(options, RoundTrips.FEWEST, true);
    }
}
