package dev.rcc.server.gateway;

import dev.rcc.client.wire.Key;
import dev.rcc.core.txn.Intent;
import java.util.List;

/**
 * A range that an interactive transaction has scanned: the keys that had records then, apart from what the transaction itself
 * has changed.
 *
 * @param range the range, up to where all was seen
 * @param intent what it was scanned for
 * @param keys the keys with a record, ascending
 */
record ScannedRange(Range range, Intent intent, List<Key> keys) {}
