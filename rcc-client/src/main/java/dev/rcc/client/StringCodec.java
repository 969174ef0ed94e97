package dev.rcc.client;

import dev.rcc.client.wire.Utf8;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Converts a text: its length, then its bytes in UTF-8. */
final class StringCodec implements Codec<String> {
    private final int maxBytes;

    StringCodec(int maxBytes) {
        if (maxBytes < 1 || maxBytes > 0xFFFF) {
            throw new IllegalArgumentException("maxBytes must be 1 to 65535, got " + maxBytes);
        }
        this.maxBytes = maxBytes;
    }

    @Override
    public int bytes() {
        return Short.BYTES + maxBytes;
    }

    @Override
    public void encode(String value, ByteBuffer target) {
        byte[] bytes = Utf8.bytes("a text", value);
        if (bytes.length > maxBytes) {
            throw new IllegalArgumentException("a text has room for " + maxBytes + " bytes, got " + bytes.length);
        }
        target.putShort((short) bytes.length);
        target.put(bytes);
    }

    @Override
    public String decode(ByteBuffer source) {
        byte[] bytes = new byte[Short.toUnsignedInt(source.getShort())];
        source.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
