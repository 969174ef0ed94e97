package dev.rcc.bench.history;

import java.util.Arrays;
import java.util.stream.Collectors;

/** How a transaction ended. */
public enum Status {
    /** It has committed. */
    COMMITTED("committed"),
    /** It has aborted: no transaction may see its writes. */
    ABORTED("aborted"),
    /** Its outcome is not known. It counts as committed if a transaction that counts has read its writes. */
    UNKNOWN("unknown");

    private final String label;

    Status(String label) {
        this.label = label;
    }

    /** The status's name in files. */
    public String label() {
        return label;
    }

    static Status ofLabel(String label) {
        for (Status status : values()) {
            if (status.label.equals(label)) {
                return status;
            }
        }
        throw new BadHistory("status: got '" + label + "', allowed: one of "
                + Arrays.stream(values()).map(Status::label).collect(Collectors.joining(", ")));
    }
}
