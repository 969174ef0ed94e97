package dev.rcc.transport.verbs.disni;

import dev.rcc.transport.verbs.ibv.Gid;
import dev.rcc.transport.verbs.ibv.VerbsDevice;
import dev.rcc.transport.verbs.ibv.VerbsLibrary;
import java.net.InetSocketAddress;

/** The address of the first RDMA device, for tests that need one. */
final class Device {
    private static final int PORT = 1;

    private Device() {}

    /** A TCP-like port at the device's address; 0 for any. */
    static InetSocketAddress address(int port) {
        try (VerbsDevice device = VerbsLibrary.load().open("")) {
            Gid gid = device.gid(PORT, -1);
            return new InetSocketAddress(gid.toString(), port);
        }
    }
}
