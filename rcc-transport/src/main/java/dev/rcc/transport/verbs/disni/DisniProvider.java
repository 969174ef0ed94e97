package dev.rcc.transport.verbs.disni;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaProvider;
import com.ibm.disni.verbs.RdmaVerbs;
import dev.rcc.transport.verbs.ibv.VerbsLibrary;
import dev.rcc.transport.verbs.ibv.VerbsUnavailable;
import dev.rcc.transport.verbs.rdmacm.CmLibrary;
import java.io.IOException;

/** RCC's provider for DiSNI: its connection manager and its verbs, on rdma-core. */
public final class DisniProvider extends RdmaProvider {
    /** The version of the interface between DiSNI and its native library that DiSNI 2.1 requires. */
    private static final int DISNI_VERSION = 32;

    private static boolean installed;

    private final Verbs verbs = new Verbs();
    private Cm cm;

    private DisniProvider() {}

    /**
     * Makes DiSNI use this provider until the process ends. Loads no native library yet. A second call does
     * nothing.
     *
     * @throws IllegalStateException when DiSNI was used before, or cannot be reached
     */
    @SuppressWarnings("LockOnNonEnclosingClassLiteral") // the lock is DiSNI's, around the field that this sets
    public static void install() {
        synchronized (RdmaProvider.class) {
            if (!installed) {
                DisniInstaller.install(new DisniProvider());
                installed = true;
            }
        }
    }

    /**
     * {@inheritDoc}
     *
     * @throws IOException when rdma-core is missing; the message says what to install
     */
    @Override
    public synchronized RdmaCm openCm() throws IOException {
        if (cm == null) {
            try {
                cm = new Cm(CmLibrary.load(), VerbsLibrary.load());
            } catch (VerbsUnavailable e) {
                throw new IOException(e.getMessage(), e);
            }
        }
        return cm;
    }

    @Override
    public RdmaVerbs openVerbs() {
        return verbs;
    }

    @Override
    public int getVersion() {
        return DISNI_VERSION;
    }
}
