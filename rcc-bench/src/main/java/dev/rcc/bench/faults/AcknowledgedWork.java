package dev.rcc.bench.faults;

import dev.rcc.bench.check.CheckResult;
import dev.rcc.bench.check.Checker;
import dev.rcc.bench.check.Model;
import dev.rcc.bench.history.History;
import dev.rcc.bench.history.HistoryBuilder;
import dev.rcc.bench.history.Status;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Compares the outcomes that clients received with the data. Every update has read the version before it, so the versions that a record had
 * lead back from the last one to the first. Every acknowledged version must be among them, and no version of an attempt without effect.
 *
 * @param acknowledged writes that were acknowledged
 * @param unknown commits whose outcome the client did not receive at once
 * @param unanswered the unknown commits whose outcome no gateway knew later, either
 * @param lost acknowledged writes that are missing
 * @param untruthful writes of attempts for which a client received a wrong outcome: that the attempt had no effect, or, as the answer to an
 *     outcome request, that it had one
 * @param halves transactions of which only a part took effect
 * @param violations each violation in a sentence
 * @param history the history of all attempts
 * @param checked the check of the history
 */
record AcknowledgedWork(
        long acknowledged,
        long unknown,
        long unanswered,
        long lost,
        long untruthful,
        long halves,
        List<String> violations,
        History history,
        CheckResult checked) {
    private static final int SENTENCES_MAX = 20;

    /**
     * Compares the attempts with the data.
     *
     * @param versions the last version of each key, 0 if it is not known
     */
    static AcknowledgedWork of(List<Attempt> attempts, List<Long> versions, Model model) {
        History history = history(attempts);
        return new Comparison(attempts, versions).check(history, Checker.check(history, model));
    }

    private static History history(List<Attempt> attempts) {
        HistoryBuilder builder = new HistoryBuilder();
        for (Attempt attempt : attempts) {
            builder.begin(
                    "t" + attempt.number(),
                    "client " + attempt.client(),
                    attempt.startNanos(),
                    attempt.endNanos(),
                    attempt.status());
            boolean counts = attempt.status() != Status.ABORTED; // an aborted attempt may have read anything
            for (int i = 0; counts && i < attempt.readKeys().length; i++) {
                builder.read("k" + attempt.readKeys()[i], attempt.readVersions()[i]);
            }
            for (int i = 0; i < attempt.writtenKeys().length; i++) {
                if (attempt.writtenVersions()[i] != 0) {
                    builder.write("k" + attempt.writtenKeys()[i], attempt.writtenVersions()[i]);
                }
            }
        }
        return builder.build();
    }

    private static final class Comparison {
        private final List<Attempt> attempts;
        private final List<Long> versions;
        private final Map<Integer, Attempt> byNumber = new HashMap<>();
        private final List<Set<Long>> there = new ArrayList<>();
        private final List<String> violations = new ArrayList<>();
        private long acknowledged;
        private long unknown;
        private long unanswered;
        private long lost;
        private long untruthful;
        private long halves;

        Comparison(List<Attempt> attempts, List<Long> versions) {
            this.attempts = attempts;
            this.versions = versions;
            attempts.forEach(attempt -> byNumber.put(attempt.number(), attempt));
        }

        AcknowledgedWork check(History history, CheckResult checked) {
            for (int key = 0; key < versions.size(); key++) {
                there.add(leadingTo(key, versions.get(key)));
            }
            attempts.forEach(this::compare);
            return new AcknowledgedWork(
                    acknowledged, unknown, unanswered, lost, untruthful, halves, violations, history, checked);
        }

        /** All versions that a key has had. */
        private Set<Long> leadingTo(long key, long last) {
            Set<Long> found = new HashSet<>();
            for (long version = last; version != 0 && found.add(version); ) {
                Attempt writer = byNumber.get(Register.attempt(version));
                if (writer == null) {
                    say("key " + key + " had version " + Register.name(version) + ", which no attempt wrote");
                    break;
                }
                version = writer.found(key);
            }
            return found;
        }

        private void compare(Attempt attempt) {
            unknown += attempt.wasAsked() ? 1 : 0;
            unanswered += attempt.status() == Status.UNKNOWN ? 1 : 0;
            int known = 0;
            int present = 0;
            for (int i = 0; i < attempt.writtenKeys().length; i++) {
                long version = attempt.writtenVersions()[i];
                int key = (int) attempt.writtenKeys()[i];
                acknowledged += attempt.status() == Status.COMMITTED ? 1 : 0;
                if (version != 0 && key < versions.size() && versions.get(key) != 0) {
                    boolean isThere = there.get(key).contains(version);
                    known++;
                    present += isThere ? 1 : 0;
                    compare(attempt, key, version, isThere);
                }
            }
            if (attempt.status() == Status.UNKNOWN && present > 0 && present < known) {
                halves++;
                say("of attempt " + attempt.number() + ", whose outcome stayed unknown, only " + present + " of "
                        + known + " writes are there");
            }
        }

        private void compare(Attempt attempt, long key, long version, boolean isThere) {
            String what = "the write of version " + Register.name(version) + " of key " + key + " by client "
                    + attempt.client();
            if (attempt.status() == Status.COMMITTED && !isThere) {
                lost++;
                untruthful += attempt.wasAsked() ? 1 : 0;
                say("LOST: " + what
                        + (attempt.wasAsked()
                                ? ", committed by the answer to its outcome request, is"
                                : ", acknowledged and")
                        + " not there; the last version is " + Register.name(versions.get((int) key)));
            } else if (attempt.status() == Status.ABORTED && isThere) {
                untruthful++;
                say("UNTRUTHFUL: " + what + " is there, and the client received the answer"
                        + (attempt.wasAsked() ? " to its outcome request" : "") + " that it had no effect");
            }
        }

        private void say(String sentence) {
            if (violations.size() < SENTENCES_MAX) {
                violations.add(sentence);
            } else if (violations.size() == SENTENCES_MAX) {
                violations.add("and more");
            }
        }
    }
}
