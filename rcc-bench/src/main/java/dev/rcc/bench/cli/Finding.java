package dev.rcc.bench.cli;

/**
 * What {@code rcc doctor} has found out about one thing.
 *
 * @param subject what was looked at
 * @param level how it is
 * @param found what was found
 * @param remedy how to mend it; empty if nothing has to be
 */
record Finding(String subject, Level level, String found, String remedy) {
    /** How something is. */
    enum Level {
        /** As it should be. */
        OK,
        /** As it may be, for those who do not need more. */
        NOTE,
        /** Something will not work. */
        PROBLEM
    }

    static Finding ok(String subject, String found) {
        return new Finding(subject, Level.OK, found, "");
    }

    static Finding note(String subject, String found, String remedy) {
        return new Finding(subject, Level.NOTE, found, remedy);
    }

    static Finding problem(String subject, String found, String remedy) {
        return new Finding(subject, Level.PROBLEM, found, remedy);
    }
}
