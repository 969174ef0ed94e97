package dev.rcc.client;

/**
 * What a cluster says of one of its tables.
 *
 * @param name what it is called
 * @param hasLongKeys whether its keys are 64-bit numbers; otherwise they are byte strings
 * @param keyBytesMax bytes of the longest key
 * @param recordBytes bytes of each record
 * @param ordered whether ranges of it can be scanned
 */
public record TableDescription(String name, boolean hasLongKeys, int keyBytesMax, int recordBytes, boolean ordered) {}
