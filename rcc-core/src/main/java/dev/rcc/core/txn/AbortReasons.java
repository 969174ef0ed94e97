package dev.rcc.core.txn;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/** The reasons for which transactions can abort, by code and by name: the common reasons, and the ones that protocols declare. Immutable. */
public final class AbortReasons {
    private final AbortReason[] byCode = new AbortReason[AbortReason.MAX_CODE + 1];

    /**
     * The common reasons, and {@code declared}.
     *
     * @param declared the reasons that protocols declare; one reason may be among them more than once
     * @throws IllegalArgumentException if two different reasons have the same code or name
     */
    public AbortReasons(Collection<AbortReason> declared) {
        AbortReason.COMMON.forEach(this::add);
        declared.forEach(this::add);
    }

    /** All of them, by ascending code. */
    public List<AbortReason> all() {
        return Arrays.stream(byCode).filter(Objects::nonNull).toList();
    }

    /**
     * The reason with this code, as received in a message. Allocates nothing.
     *
     * @throws IllegalArgumentException if there is none: a protocol aborts for a reason that it does not declare
     */
    public AbortReason ofCode(int code) {
        AbortReason reason = code >= 0 && code < byCode.length ? byCode[code] : null;
        if (reason == null) {
            throw new IllegalArgumentException(
                    "no abort reason has the code " + code + "; a protocol declares its own in abortReasons()");
        }
        return reason;
    }

    /**
     * The reason with this name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public AbortReason ofName(String name) {
        return Arrays.stream(byCode)
                .filter(reason -> reason != null && reason.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no abort reason has the name " + name));
    }

    private void add(AbortReason reason) {
        for (AbortReason other : byCode) {
            if (other != null
                    && other != reason
                    && (other.code() == reason.code() || other.name().equals(reason.name()))) {
                throw new IllegalArgumentException("two abort reasons are " + other.code() + " " + other + " and "
                        + reason.code() + " " + reason + ": their codes and names must differ");
            }
        }
        byCode[reason.code()] = reason;
    }
}
