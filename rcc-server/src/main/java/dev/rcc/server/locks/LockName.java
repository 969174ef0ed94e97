package dev.rcc.server.locks;

import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.Key;
import dev.rcc.client.wire.KeyPartition;
import java.nio.charset.StandardCharsets;

/**
 * The name of a lock.
 *
 * @param namespace the number of its namespace
 * @param key the namespace's name, a slash, and the lock's name. The lock's greatest token is kept under this key, and the key determines
 *     its home
 * @param text its name in its namespace
 */
public record LockName(int namespace, Key key, String text) {
    /** The lock name of these texts. */
    static LockName of(int number, String namespace, String text) {
        return new LockName(number, key(namespace, text), text);
    }

    /** The key of a lock. */
    public static Key key(String namespace, String text) {
        return new Key.OfBytes(Bytes.wrap((namespace + "/" + text).getBytes(StandardCharsets.UTF_8)));
    }

    int partition(int partitions) {
        return KeyPartition.of(key, partitions);
    }
}
