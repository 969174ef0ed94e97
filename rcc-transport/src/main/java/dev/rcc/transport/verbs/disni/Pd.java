package dev.rcc.transport.verbs.disni;

import com.ibm.disni.verbs.IbvPd;
import dev.rcc.transport.verbs.ibv.PdLayout;
import dev.rcc.transport.verbs.ibv.ProtectionDomain;
import dev.rcc.transport.verbs.ibv.Raw;
import java.io.IOException;
import java.util.concurrent.ConcurrentHashMap;

/** A protection domain, and the regions in it by their local keys. */
final class Pd extends IbvPd {
    private final ProtectionDomain domain;
    private final ConcurrentHashMap<Integer, Mr> regions = new ConcurrentHashMap<>();

    Pd(Context context, ProtectionDomain domain) throws IOException {
        super(context);
        this.domain = domain;
        this.handle = Raw.getInt(domain.address(), PdLayout.HANDLE);
    }

    ProtectionDomain domain() {
        return domain;
    }

    void add(Mr region) {
        regions.put(region.getLkey(), region);
    }

    void remove(Mr region) {
        regions.remove(region.getLkey(), region);
    }

    /** The region with this local key, or null. */
    Mr region(int lkey) {
        return regions.get(lkey);
    }
}
