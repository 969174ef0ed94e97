package dev.rcc.client;

import dev.rcc.client.wire.Utf8;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Converts instances of a Java record class, component after component. */
final class RecordCodec<R extends Record> implements Codec<R> {
    /** Converts a component's value to bytes and back. */
    private record Field(
            Method accessor, int bytes, BiConsumer<ByteBuffer, Object> put, Function<ByteBuffer, Object> get) {}

    private static final int LENGTH_BYTES = Short.BYTES;

    private final Class<R> type;
    private final Constructor<R> constructor;
    private final Field[] fields;
    private final int bytes;

    RecordCodec(Class<R> type) {
        this.type = type;
        RecordComponent[] components = type.getRecordComponents();
        if (components == null || components.length == 0) {
            throw new IllegalArgumentException(type.getName() + " must be a record class with a component");
        }
        this.fields = Arrays.stream(components).map(RecordCodec::field).toArray(Field[]::new);
        this.bytes = Arrays.stream(fields).mapToInt(Field::bytes).sum();
        try {
            this.constructor = type.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            constructor.setAccessible(true);
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new IllegalArgumentException(
                    "the constructor of " + type.getName() + " must be open to dev.rcc.client: make the record public"
                            + " or open its package",
                    e);
        }
    }

    @Override
    public int bytes() {
        return bytes;
    }

    @Override
    public void encode(R value, ByteBuffer target) {
        int start = target.position();
        for (Field field : fields) {
            Object component = invoke(field.accessor(), value);
            if (component == null) {
                throw new IllegalArgumentException(
                        type.getName() + "." + field.accessor().getName() + " must not be null");
            }
            target.position(start);
            field.put().accept(target, component);
            start += field.bytes();
        }
        target.position(start);
    }

    @Override
    public R decode(ByteBuffer source) {
        Object[] components = new Object[fields.length];
        int start = source.position();
        for (int i = 0; i < fields.length; i++) {
            source.position(start);
            components[i] = fields[i].get().apply(source);
            start += fields[i].bytes();
        }
        source.position(start);
        try {
            return constructor.newInstance(components);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("the constructor of " + type.getName() + " refused a record", e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type.getName() + " cannot be made", e);
        }
    }

    private static Object invoke(Method accessor, Object value) {
        try {
            return accessor.invoke(value);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(accessor + " failed", e);
        }
    }

    private static Field field(RecordComponent component) {
        Method accessor = component.getAccessor();
        accessor.setAccessible(true);
        Class<?> type = component.getType();
        if (type == long.class) {
            return new Field(accessor, Long.BYTES, (b, v) -> b.putLong((Long) v), ByteBuffer::getLong);
        } else if (type == int.class) {
            return new Field(accessor, Integer.BYTES, (b, v) -> b.putInt((Integer) v), ByteBuffer::getInt);
        } else if (type == short.class) {
            return new Field(accessor, Short.BYTES, (b, v) -> b.putShort((Short) v), ByteBuffer::getShort);
        } else if (type == byte.class) {
            return new Field(accessor, Byte.BYTES, (b, v) -> b.put((Byte) v), ByteBuffer::get);
        } else if (type == boolean.class) {
            return new Field(accessor, Byte.BYTES, (b, v) -> b.put((byte) ((Boolean) v ? 1 : 0)), b -> b.get() != 0);
        } else if (type == char.class) {
            return new Field(accessor, Character.BYTES, (b, v) -> b.putChar((Character) v), ByteBuffer::getChar);
        } else if (type == double.class) {
            return new Field(accessor, Double.BYTES, (b, v) -> b.putDouble((Double) v), ByteBuffer::getDouble);
        } else if (type == float.class) {
            return new Field(accessor, Float.BYTES, (b, v) -> b.putFloat((Float) v), ByteBuffer::getFloat);
        } else if (type == String.class) {
            int max = maxBytes(component);
            return new Field(
                    accessor,
                    LENGTH_BYTES + max,
                    (b, v) -> putBytes(component, b, Utf8.bytes(describe(component), (String) v), max),
                    b -> new String(getBytes(b), StandardCharsets.UTF_8));
        } else if (type == byte[].class) {
            int max = maxBytes(component);
            return new Field(
                    accessor,
                    LENGTH_BYTES + max,
                    (b, v) -> putBytes(component, b, (byte[]) v, max),
                    RecordCodec::getBytes);
        }
        throw new IllegalArgumentException(describe(component) + " is of type " + type.getName()
                + "; allowed are long, int, short, byte, boolean, char, double, float, and String and byte[] with"
                + " @MaxBytes");
    }

    private static int maxBytes(RecordComponent component) {
        MaxBytes max = component.getAnnotation(MaxBytes.class);
        if (max == null || max.value() < 1 || max.value() > 0xFFFF) {
            throw new IllegalArgumentException(
                    describe(component) + " needs a @MaxBytes of 1 to 65535, so that every record has the same size");
        }
        return max.value();
    }

    private static void putBytes(RecordComponent component, ByteBuffer target, byte[] value, int max) {
        if (value.length > max) {
            throw new IllegalArgumentException(
                    describe(component) + " has room for " + max + " bytes, got " + value.length);
        }
        target.putShort((short) value.length);
        target.put(value);
    }

    private static byte[] getBytes(ByteBuffer source) {
        byte[] value = new byte[Short.toUnsignedInt(source.getShort())];
        source.get(value);
        return value;
    }

    private static String describe(RecordComponent component) {
        return component.getDeclaringRecord().getName() + "." + component.getName();
    }
}
