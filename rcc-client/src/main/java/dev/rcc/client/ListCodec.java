package dev.rcc.client;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Converts a list: the number of its elements, then the elements. */
final class ListCodec<V> implements Codec<List<V>> {
    private final Codec<V> element;
    private final int max;

    ListCodec(Codec<V> element, int max) {
        this.element = Objects.requireNonNull(element, "element");
        this.max = max;
        if (max < 1 || Integer.BYTES + (long) max * element.bytes() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("a list of elements of " + element.bytes()
                    + " bytes has room for at least 1, and not 2 GiB, got " + max);
        }
    }

    @Override
    public int bytes() {
        return Integer.BYTES + max * element.bytes();
    }

    @Override
    public void encode(List<V> value, ByteBuffer target) {
        if (value.size() > max) {
            throw new IllegalArgumentException("a list has room for " + max + " elements, got " + value.size());
        }
        int start = target.position();
        target.putInt(value.size());
        for (int i = 0; i < value.size(); i++) {
            int at = start + Integer.BYTES + i * element.bytes();
            element.encode(value.get(i), target.slice(at, element.bytes()));
        }
    }

    @Override
    public List<V> decode(ByteBuffer source) {
        int start = source.position();
        int size = source.getInt();
        if (size < 0 || size > max) {
            throw new IllegalArgumentException("a list has room for " + max + " elements, got " + size);
        }
        List<V> value = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            value.add(element.decode(source.slice(start + Integer.BYTES + i * element.bytes(), element.bytes())));
        }
        return value;
    }
}
