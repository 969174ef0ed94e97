package dev.rcc.bench.check;

import java.util.List;

/**
 * An anomaly that was found, and how it shows.
 *
 * @param anomaly what it is
 * @param title what it is, in a few words
 * @param transactions the names of those who take part; of a cycle, in its order
 * @param reasons a sentence for each thing that was seen; of a cycle, for each edge
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
