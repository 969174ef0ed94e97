package dev.rcc.client;

import dev.rcc.client.wire.Key;
import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Converts composite keys of one type to bytes and back: the bytes of the parts, one after the other. */
final class CompositeKeyCodec {
    private final List<KeyPart> parts;

    /**
     * A codec.
     *
     * @param parts the types of the parts, at least one
     */
    CompositeKeyCodec(List<KeyPart> parts) {
        this.parts = List.copyOf(parts);
    }

    Key encode(CompositeKey key) {
        if (key.size() > parts.size()) {
            throw new IllegalArgumentException(
                    "a key " + this + " has at most " + parts.size() + " parts, got " + key.size() + ": " + key);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < key.size(); i++) {
            KeyPart part = parts.get(i);
            Object given = key.part(i);
            if (!part.type().isInstance(given)) {
                throw new IllegalArgumentException("part " + (i + 1) + " of a key " + this + " must be of type "
                        + part.type().getSimpleName() + ", got " + given + " of type "
                        + given.getClass().getSimpleName());
            }
            try {
                part.write(given, bytes);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("part " + (i + 1) + " of a key " + this + ": " + e.getMessage(), e);
            }
        }
        return Key.of(bytes.toByteArray());
    }

    CompositeKey decode(Key key) {
        ByteBuffer bytes =
                ByteBuffer.wrap(((Key.OfBytes) key).value().unsafeArray()).asReadOnlyBuffer();
        List<Object> found = new ArrayList<>();
        try {
            while (bytes.hasRemaining() && found.size() < parts.size()) {
                found.add(parts.get(found.size()).read(bytes));
            }
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException(
                    "the key " + key + " is not " + this + ": part " + (found.size() + 1)
                            + " does not end, so it was written with another key type",
                    e);
        }
        if (bytes.hasRemaining()) {
            throw new IllegalArgumentException("the key " + key + " is not " + this + ": it has " + bytes.remaining()
                    + " bytes more, so it was written with another key type");
        }
        return CompositeKey.of(found.toArray());
    }

    /** The parts' types in Java. */
    @Override
    public String toString() {
        return parts.stream().map(part -> part.type().getSimpleName()).toList().toString();
    }
}
