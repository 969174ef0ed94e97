package dev.rcc.server.gateway;

import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.Key;
import dev.rcc.client.wire.Patch;

/**
 * The size of a request that has no answer yet.
 *
 * @param written the bytes that it brings to be written, keys included; of a patch, also those that it expects
 * @param held the bytes that it takes until it is answered, about
 */
record RequestSize(int written, int held) {
    /** Overhead of a request, and below of each part of a patch, in bytes. */
    private static final int REQUEST_BYTES = 128;

    private static final int PART_BYTES = 64;

    static RequestSize of(Request request) {
        return switch (request) {
            case Operation.Put put -> write(bytes(put.key()) + put.value().length(), 0);
            case Operation.Insert insert ->
                write(bytes(insert.key()) + insert.value().length(), 0);
            case Operation.PatchRecord patched -> write(patched);
            case Operation.OnKey other -> read(bytes(other.key()));
            case Operation.Scan scan ->
                read(bytes(scan.from().key()) + bytes(scan.to().key()));
            case Request.Commit commit -> read(0);
            case Request.Abort abort -> read(0);
        };
    }

    /** The size of a call; what it writes is known only when it runs. */
    static RequestSize ofCall(Bytes argument) {
        return read(argument.length());
    }

    private static RequestSize write(Operation.PatchRecord patched) {
        Patch patch = patched.patch();
        int bytes = bytes(patched.key());
        for (Patch.Part part : patch.expected()) {
            bytes += part.bytes().length();
        }
        for (Patch.Part part : patch.written()) {
            bytes += part.bytes().length();
        }
        return write(
                bytes, PART_BYTES * (patch.expected().size() + patch.written().size()));
    }

    private static RequestSize write(int bytes, int overhead) {
        return new RequestSize(bytes, REQUEST_BYTES + overhead + bytes);
    }

    private static RequestSize read(int bytes) {
        return new RequestSize(0, REQUEST_BYTES + bytes);
    }

    private static int bytes(Key key) {
        return key instanceof Key.OfBytes k ? k.value().length() : Long.BYTES;
    }
}
