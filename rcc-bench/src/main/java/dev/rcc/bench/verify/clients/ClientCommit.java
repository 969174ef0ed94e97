package dev.rcc.bench.verify.clients;

import dev.rcc.bench.verify.clients.AppliedCommits.Applied;
import dev.rcc.client.wire.CommitId;
import java.util.ArrayList;
import java.util.List;

/** A commit that a client has sent, once or several times, and its outcome as far as the client knows. */
final class ClientCommit {
    /** The outcome of a commit as far as its client knows. */
    enum Known {
        /** A reply reported that the commit took effect. */
        COMMITTED,
        /** A reply reported that the commit did not and will not take effect. */
        NOT_COMMITTED,
        /** No reply arrived, or a reply reported an unknown outcome. */
        NOTHING
    }

    private final CommitId id;
    private final Plan plan;
    private final List<Attempt> attempts = new ArrayList<>();
    private Known known = Known.NOTHING;
    private Long result;
    /** Whether a transaction that has taken effect can be found, as a commit without a name or by a record in the commit's name. */
    private boolean leavesRecord;
    /** The transaction of a commit without a name. */
    private Applied unnamed;

    ClientCommit(CommitId id, Plan plan) {
        this.id = id;
        this.plan = plan;
        this.leavesRecord = !isNamed() || !(plan instanceof Plan.Single);
    }

    CommitId id() {
        return id;
    }

    Plan plan() {
        return plan;
    }

    boolean isNamed() {
        return !id.equals(CommitId.NONE);
    }

    /** Another attempt begins. */
    Attempt begin() {
        Attempt attempt = new Attempt();
        attempts.add(attempt);
        return attempt;
    }

    /** The gateway answers that a commit without a name has taken effect. */
    void took(Applied applied) {
        unnamed = applied;
    }

    /** The client received the commit's outcome. */
    void know(Known what) {
        known = what;
    }

    /** The client received an answer by which the transaction has left a record in the commit's name. */
    void leavesRecord() {
        leavesRecord = true;
    }

    /** The client received the call's result. */
    void know(long returned) {
        result = returned;
    }

    /** The violations, each a sentence. */
    List<String> violations(AppliedCommits all) {
        List<String> violations = new ArrayList<>();
        List<Applied> applied = isNamed() ? all.of(id) : unnamed == null ? List.of() : List.of(unnamed);
        List<Applied> effective = applied.stream().filter(all::hasTakenEffect).toList();
        if (effective.size() > 1) {
            violations.add("commit " + id + " has taken effect " + effective.size() + " times");
        } else if (known == Known.NOT_COMMITTED && !effective.isEmpty()) {
            violations.add("a reply reported that commit " + id + " has not taken effect, but it has");
        } else if (known == Known.COMMITTED && leavesRecord && applied.isEmpty()) {
            violations.add("a reply reported that commit " + id + " has taken effect, but no transaction wrote it");
        }
        Applied one = effective.size() == 1
                ? effective.getFirst()
                : known == Known.COMMITTED && applied.size() == 1 ? applied.getFirst() : null;
        if (one != null && violations.isEmpty()) {
            compare(one, all, violations);
        }
        return violations;
    }

    private void compare(Applied applied, AppliedCommits all, List<String> violations) {
        String mismatch = null;
        for (Attempt attempt : attempts) {
            if (attempt.isCommitSent()) {
                mismatch = attempt.mismatch(applied, all::read);
                if (mismatch == null) {
                    break;
                }
            }
        }
        if (mismatch != null) {
            violations.add("the client of commit " + id + " " + mismatch);
        }
        if (result != null && result != plan.result(applied, all, id)) {
            violations.add("the client of call " + id + " received " + result + " as its result, and it is "
                    + plan.result(applied, all, id));
        }
    }

    /** The transaction that the client knows to have taken effect; empty if it is not certain which one it is. */
    List<Applied> acknowledged(AppliedCommits all) {
        List<Applied> applied = isNamed() && known == Known.COMMITTED ? all.of(id) : List.of();
        return applied.size() == 1 ? applied : List.of();
    }
}
