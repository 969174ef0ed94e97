package dev.rcc.bench.workload;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The effects of some clients' committed transactions, as {@link Workload#check} needs them. */
public interface Account {
    /** The clients' effect on the data, added up in the workload's own measure. */
    long tally();

    /** How often a client saw a state that must never be seen. */
    default long anomalies() {
        return 0;
    }

    /** Further counts of the clients' effects, by name; the counts add up over clients. */
    default Map<String, Long> counts() {
        return Map.of();
    }

    /** Whether the account is complete: clients that died may have done more. */
    default boolean isComplete() {
        return true;
    }

    /** Whether all accounts are complete. */
    static boolean areComplete(List<? extends Account> accounts) {
        return accounts.stream().allMatch(Account::isComplete);
    }

    /**
     * Whether accounts explain what was found: as much as they count or, if some are not complete, more.
     *
     * @param found what the data shows to have been done
     * @param counted what the accounts say
     */
    static boolean explain(List<? extends Account> accounts, long found, long counted) {
        return found == counted || (found > counted && !areComplete(accounts));
    }

    /** The same account of a client that may have done more. */
    static Account incomplete(Account account) {
        return new Account() {
            @Override
            public long tally() {
                return account.tally();
            }

            @Override
            public long anomalies() {
                return account.anomalies();
            }

            @Override
            public Map<String, Long> counts() {
                return account.counts();
            }

            @Override
            public boolean isComplete() {
                return false;
            }
        };
    }

    /** The sums of the counts of all accounts. */
    static Map<String, Long> sumOfCounts(List<? extends Account> accounts) {
        Map<String, Long> sums = new LinkedHashMap<>();
        accounts.forEach(account -> account.counts().forEach((name, count) -> sums.merge(name, count, Long::sum)));
        return sums;
    }
}
