package dev.rcc.bench.cli;

/**
 * The finding of {@code rcc doctor} about one subject.
 *
 * @param subject the thing examined
 * @param level how serious the finding is
 * @param found the state that was found
 * @param remedy how to mend it; empty if there is nothing to mend
 */
record Finding(String subject, Level level, String found, String remedy) {
    /** How serious a finding is. */
    enum Level {
        /** The subject is as it should be. */
        OK,
        /** The subject is good enough for users who need no more. */
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
