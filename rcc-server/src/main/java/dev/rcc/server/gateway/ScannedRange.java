package dev.rcc.server.gateway;

import dev.rcc.client.wire.Key;
import dev.rcc.core.txn.Intent;
import java.util.List;

/**
 * A range that an interactive transaction has scanned: the keys that had records then, apart from the transaction's own changes.
 *
 * @param range the part of the range that was seen completely
 * @param intent the intent of the scan
 * @param keys the keys with a record, ascending
 */
record ScannedRange(Range range, Intent intent, List<Key> keys) {}
