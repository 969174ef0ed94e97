package dev.rcc.client;

/**
 * How full a table is.
 *
 * @param table the table's name
 * @param records number of records, of which some may have come or gone while they were counted; those of a replicated table count once
 * @param capacity number of records that there is room for in all partitions; one of them may be full before that
 */
public record TableUsage(String table, long records, long capacity) {}
