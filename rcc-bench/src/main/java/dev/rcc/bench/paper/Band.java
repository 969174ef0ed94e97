package dev.rcc.bench.paper;

/**
 * The values that a criterion admits.
 *
 * @param low the lowest value, or the bound that values must exceed
 * @param isLowIn whether {@code low} itself is admitted
 * @param high the highest value, or the bound that values must be below
 * @param isHighIn whether {@code high} itself is admitted
 */
public record Band(double low, boolean isLowIn, double high, boolean isHighIn) {
    /** More than {@code low}. */
    public static Band above(double low) {
        return new Band(low, false, Double.POSITIVE_INFINITY, true);
    }

    /** {@code low} or more. */
    public static Band atLeast(double low) {
        return new Band(low, true, Double.POSITIVE_INFINITY, true);
    }

    /** Less than {@code high}. */
    public static Band below(double high) {
        return new Band(Double.NEGATIVE_INFINITY, true, high, false);
    }

    /** {@code high} or less. */
    public static Band atMost(double high) {
        return new Band(Double.NEGATIVE_INFINITY, true, high, true);
    }

    /** From {@code low} to {@code high}, both admitted. */
    public static Band between(double low, double high) {
        return new Band(low, true, high, true);
    }

    /** Whether a value is admitted; NaN is not. */
    public boolean admits(double value) {
        return (isLowIn ? value >= low : value > low) && (isHighIn ? value <= high : value < high);
    }
}
