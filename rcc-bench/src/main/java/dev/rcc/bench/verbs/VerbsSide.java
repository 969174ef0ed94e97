package dev.rcc.bench.verbs;

import dev.rcc.transport.verbs.ibv.Gid;
import dev.rcc.transport.verbs.ibv.ProtectionDomain;
import dev.rcc.transport.verbs.ibv.VerbsDevice;
import dev.rcc.transport.verbs.ibv.VerbsLibrary;

/** The device of one side of the measurements. */
final class VerbsSide implements AutoCloseable {
    /** The port that is used. */
    static final int PORT = 1;

    private final VerbsDevice device;
    private final Gid gid;
    private final int mtuBytes;
    private final ProtectionDomain pd;

    /** Opens a device; a GID index below 0 stands for the best one. */
    VerbsSide(String name, int gidIndex) {
        device = VerbsLibrary.load().open(name);
        gid = device.gid(PORT, gidIndex);
        mtuBytes = device.port(PORT).activeMtuBytes();
        pd = device.allocPd();
    }

    VerbsDevice device() {
        return device;
    }

    ProtectionDomain pd() {
        return pd;
    }

    Gid gid() {
        return gid;
    }

    int mtuBytes() {
        return mtuBytes;
    }

    @Override
    public void close() {
        pd.close();
        device.close();
    }
}
