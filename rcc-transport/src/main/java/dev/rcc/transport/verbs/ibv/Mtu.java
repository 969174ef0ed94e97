package dev.rcc.transport.verbs.ibv;

/** {@code enum ibv_mtu}: 1 for 256 bytes, 2 for 512, and so on to 5 for 4096. */
final class Mtu {
    private static final int SHIFT = 7;
    private static final int MIN = 1;
    private static final int MAX = 5;

    private Mtu() {}

    static int bytes(int mtu) {
        return mtu < MIN || mtu > MAX ? 0 : 1 << (mtu + SHIFT);
    }

    /** The value that stands for {@code bytes}. */
    static int of(int bytes) {
        for (int mtu = MIN; mtu <= MAX; mtu++) {
            if (bytes(mtu) == bytes) {
                return mtu;
            }
        }
        throw new IllegalArgumentException("an MTU must be 256, 512, 1024, 2048 or 4096 bytes, got " + bytes);
    }
}
