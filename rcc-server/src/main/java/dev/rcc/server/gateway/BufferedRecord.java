package dev.rcc.server.gateway;

import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.Key;
import dev.rcc.client.wire.Patch;
import dev.rcc.core.store.Table;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Transaction;
import java.util.ArrayList;
import java.util.List;

/**
 * A key that a client's transaction has accessed: the state of the record that the client has observed, the state that the client
 * wants, and the current attempt's access. It outlives attempts; the access does not.
 */
final class BufferedRecord {
    private final Table table;
    private final Key key;
    private boolean observed;
    /** Whether the client has observed it other than by adding a record. */
    private boolean looked;

    private boolean existed;
    private long version;
    /** Whether an answer depends on the contents of the record that was found, and not only on whether there is one. */
    private boolean shown;
    /** The patches that turn the record that was found into the new value; null if that does not come from patches alone. */
    private List<Patch> patches;

    private boolean forUpdate;
    private boolean written;
    private Bytes newValue;
    /** For a stored procedure: the intent that its last attempt needed, or that the procedure has named; or null. */
    private Intent wanted;
    /** For a stored procedure: whether it names the key itself before it runs. */
    private boolean named;
    /** Whether there is probably a record: by a forecast, or as an earlier attempt has found. */
    private boolean existsProbably;

    private Access access;

    /**
     * A key that no operation has used yet.
     *
     * @param existsProbably whether there is probably a record, if it is put before it is read
     */
    BufferedRecord(Table table, Key key, boolean existsProbably) {
        this.table = table;
        this.key = key;
        this.existsProbably = existsProbably;
    }

    Table table() {
        return table;
    }

    Key key() {
        return key;
    }

    // ---- the client's reads and writes ----------------------------------------------------------------------------

    /** Whether the client has observed whether there is a record, and perhaps its contents. */
    boolean isObserved() {
        return observed;
    }

    /** Whether the client has changed the record. */
    boolean isWritten() {
        return written;
    }

    /** Whether the client has put the record, and has not observed whether there was one. */
    boolean isPutBlindly() {
        return written && newValue != null && !observed;
    }

    /** The value that the client has written, or null if it has deleted the record. */
    Bytes newValue() {
        return newValue;
    }

    void put(Bytes value) {
        replace(value);
    }

    void delete() {
        replace(null);
    }

    private void replace(Bytes value) {
        shown |= patches != null; // the client knows that these patches fit, which nothing checks any more
        patches = null;
        written = true;
        newValue = value;
    }

    /** Changes a part of the record; false if it does not fit. There is a record. */
    boolean patch(Patch patch) {
        byte[] after = value().toArray();
        if (!patch.applyTo(after)) {
            shown = true;
            return false;
        }
        if (!written) {
            patches = new ArrayList<>();
        }
        if (patches != null) {
            patches.add(patch);
        }
        written = true;
        newValue = Bytes.wrap(after);
        return true;
    }

    /** Whether a scan may return the record in a state that is not to be answered. */
    boolean mayBeInScan() {
        return written || (access != null && access.intent() == Intent.INSERT);
    }

    /** Whether there is a record that was declared to be deleted and has not been deleted. */
    boolean isYetToBeDeleted() {
        return !written && access != null && access.isFetched() && access.intent() == Intent.DELETE && access.exists();
    }

    /** Whether there is a record, as the transaction sees it. The client has observed or written it. */
    boolean isVisible() {
        return written ? newValue != null : existed;
    }

    /** The record as the transaction sees it, or null; it is the client's answer, or decides on that. */
    Bytes show() {
        shown = true;
        return value();
    }

    /** The record as the transaction sees it, or null. */
    Bytes value() {
        if (written) {
            return newValue;
        }
        return existed ? found() : null;
    }

    private Bytes found() {
        byte[] bytes = new byte[table.schema().recordBytes()];
        access.getBytes(0, bytes, 0, bytes.length);
        return Bytes.wrap(bytes);
    }

    // ---- the attempt -----------------------------------------------------------------------------------------------

    /** Begins a new attempt, which has no accesses yet. */
    void forgetAccess() {
        access = null;
    }

    Access access() {
        return access;
    }

    void access(Access newAccess) {
        access = newAccess;
    }

    /** Declares the key, unless it is declared. A key that is declared to be read, and has not been fetched, may be declared again for more. */
    void declare(Transaction txn, Intent intent) {
        if (access == null || (!access.isFetched() && access.intent() == Intent.READ && intent != Intent.INSERT)) {
            access = switch (key) {
                case Key.OfLong k -> declare(txn, intent, k.value());
                case Key.OfBytes k -> declare(txn, intent, k.value().unsafeArray());
            };
        }
    }

    private Access declare(Transaction txn, Intent intent, long longKey) {
        return switch (intent) {
            case READ -> txn.read(table, longKey);
            case UPDATE -> txn.update(table, longKey);
            case INSERT -> txn.insert(table, longKey);
            case DELETE -> txn.delete(table, longKey);
            case WRITE -> txn.write(table, longKey);
        };
    }

    private Access declare(Transaction txn, Intent intent, byte[] bytesKey) {
        return switch (intent) {
            case READ -> txn.read(table, bytesKey);
            case UPDATE -> txn.update(table, bytesKey);
            case INSERT -> txn.insert(table, bytesKey);
            case DELETE -> txn.delete(table, bytesKey);
            case WRITE -> txn.write(table, bytesKey);
        };
    }

    /** The client wants to write the record that it reads. */
    void wantForUpdate() {
        forUpdate = true;
    }

    /** The intent with which the key has to be declared, as far as is known. */
    Intent need() {
        boolean exists = observed ? existed : existsProbably;
        if (written && newValue != null) {
            boolean reads = observed || forUpdate;
            return !exists ? Intent.INSERT : reads ? Intent.UPDATE : Intent.WRITE;
        }
        if (written && exists) {
            return Intent.DELETE;
        }
        return forUpdate ? Intent.UPDATE : Intent.READ;
    }

    /** Whether the access, which has been fetched, suffices for the client's operations. */
    boolean isServed() {
        boolean exists = access.exists();
        return switch (access.intent()) {
            case READ -> need(exists) == Intent.READ;
            case UPDATE -> need(exists) == Intent.READ || need(exists) == Intent.UPDATE;
            case INSERT -> exists ? need(true) == Intent.READ : need(false) == Intent.INSERT;
            case DELETE -> exists ? need(true) == Intent.DELETE : need(false) == Intent.READ;
            case WRITE -> exists && need(true) == Intent.UPDATE;
        };
    }

    private Intent need(boolean exists) {
        if (written && newValue != null) {
            return exists ? Intent.UPDATE : Intent.INSERT;
        }
        if (written && exists) {
            return Intent.DELETE;
        }
        boolean locked = access.intent() != Intent.READ; // any lock keeps other transactions off
        return forUpdate && !locked ? Intent.UPDATE : Intent.READ;
    }

    // ---- for a stored procedure, whose attempts run from the beginning --------------------------------------------

    /**
     * Forgets everything but the intent that the key was needed for. False if the key was not needed in two attempts in a row.
     *
     * @param wasRun whether the procedure has run to its end; if not, it may have needed the key for more
     */
    boolean startOver(boolean wasRun) {
        boolean used = observed || written || forUpdate;
        boolean keep = used || wanted != Intent.READ;
        if (observed) {
            existsProbably = existed;
        }
        if (wasRun) {
            wanted = used ? need() : Intent.READ;
        } else if (used && need() != Intent.READ) {
            wanted = need();
        }
        if (wanted == Intent.WRITE) {
            wanted = Intent.UPDATE; // the next run may read a record that this one has only written
        }
        if (wanted == Intent.INSERT && used && !looked && !named) {
            wanted = null; // the key may depend on reads: then the next run adds another key
        }
        observed = false;
        looked = false;
        shown = false;
        patches = null;
        written = false;
        newValue = null;
        forUpdate = false;
        named = false;
        access = null;
        return keep;
    }

    /** The procedure names the key with this intent; an intent that an earlier attempt was found to need takes precedence. */
    void want(Intent intent) {
        named = true;
        if (wanted == null) {
            wanted = intent;
        }
    }

    /** Declares the key with the intent that it will be needed for. A key that was not named and will only be read is declared when it is read. */
    void declareWanted(Transaction txn) {
        if (wanted != null && (named || wanted != Intent.READ)) {
            declare(txn, wanted);
        }
    }

    /** Remembers whether there is a record, for the next attempt's declaration. */
    void guess() {
        existsProbably = access.exists();
    }

    /** The client observes whether there is a record, in what was fetched. */
    void observe() {
        if (!observed) {
            observed = true;
            existed = access.exists();
            version = access.version();
        }
    }

    /** The client observes whether there is a record, in what was fetched, other than by adding a record. */
    void look() {
        looked = true;
        observe();
    }

    /**
     * Puts the record that this attempt has fetched in the place of the one that the last attempt had. False if the client can tell the difference. A
     * client that has not been shown the contents cannot, if its patches fit again.
     */
    boolean observeAgain() {
        if (!observed) {
            return true;
        }
        if (existed != access.exists()) {
            return false;
        }
        if (!existed || version == access.version()) {
            return true;
        }
        if (shown) {
            return false;
        }
        version = access.version();
        return patches == null || patchAgain();
    }

    private boolean patchAgain() {
        byte[] after = found().toArray();
        boolean fit = patches.stream().allMatch(patch -> patch.applyTo(after));
        newValue = Bytes.wrap(after);
        return fit;
    }

    /** Makes the record what the client wants it to be. */
    void apply() {
        if (written && newValue != null) {
            access.putBytes(0, newValue.unsafeArray(), 0, newValue.length());
        }
    }
}
