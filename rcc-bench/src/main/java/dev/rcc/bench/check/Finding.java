package dev.rcc.bench.check;

import java.util.List;

/**
 * An anomaly that was found, and its evidence.
 *
 * @param anomaly the kind of anomaly
 * @param title the anomaly in a few words
 * @param transactions the names of the transactions that take part; for a cycle, in its order
 * @param reasons a sentence for each observation; for a cycle, one for each edge
 * @param operations the transactions in the notation of histories, long ones cut off
 */
public record Finding(
        Anomaly anomaly, String title, List<String> transactions, List<String> reasons, List<String> operations) {
    /** Copies the lists. */
    public Finding {
        transactions = List.copyOf(transactions);
        reasons = List.copyOf(reasons);
        operations = List.copyOf(operations);
    }
}
