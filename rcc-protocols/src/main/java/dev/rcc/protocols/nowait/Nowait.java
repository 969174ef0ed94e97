package dev.rcc.protocols.nowait;

import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionValues;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.protocols.locking.LockingOptions;
import dev.rcc.protocols.locking.LockingProtocol;
import java.util.List;

/** NOWAIT: two-phase locking without waiting (rcc, 4.2). */
public final class Nowait extends LockingProtocol {
    private static final String NAME = "nowait";

    /** Creates the protocol, with {@link LockingOptions#DEFAULT}. */
    public Nowait() {
        this(LockingOptions.DEFAULT);
    }

    /** Creates the protocol. */
    public Nowait(LockingOptions options) {
        super(new NowaitRules(options.reads()), options);
    }

    @Override
    public List<Option> options() {
        return LockingOptions.options(NAME);
    }

    @Override
    public Protocol with(OptionValues values) {
        return new Nowait(LockingOptions.of(NAME, values));
    }

    @Override
    public String name() {
        return NAME;
    }
}
