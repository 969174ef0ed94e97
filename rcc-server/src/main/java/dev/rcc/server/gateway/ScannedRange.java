package dev.rcc.server.gateway;

import dev.rcc.core.store.Table;
import dev.rcc.core.txn.Intent;

/**
 * A range that an interactive transaction has scanned: the keys that had records then, apart from what the transaction itself
 * has changed.
 *
 * @param table the table
 * @param intent what it was scanned for
 * @param from the first key
 * @param last the last key up to which all was seen, inclusive
 * @param keys the keys with a record, ascending
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ScannedRange(Table table, Intent intent, long from, long last, long[] keys) {}
