package dev.rcc.core.txn;

import static dev.rcc.core.store.IndexNodeLayout.COUNT_OFFSET;
import static dev.rcc.core.store.IndexNodeLayout.HIGH_OFFSET;
import static dev.rcc.core.store.IndexNodeLayout.LEAF_LEVEL;
import static dev.rcc.core.store.IndexNodeLayout.LEVEL_OFFSET;
import static dev.rcc.core.store.IndexNodeLayout.LOW_OFFSET;
import static dev.rcc.core.store.IndexNodeLayout.MAX_LEVEL;
import static dev.rcc.core.store.IndexNodeLayout.NEXT_OFFSET;
import static dev.rcc.core.store.IndexNodeLayout.NO_NODE;
import static dev.rcc.core.store.IndexNodeLayout.ROOT;
import static dev.rcc.core.store.IndexNodeLayout.childOffset;
import static dev.rcc.core.store.IndexNodeLayout.keyOffset;

import dev.rcc.core.store.IndexNodeLayout;
import dev.rcc.core.store.Table;
import java.util.Arrays;

/**
 * The ordered indexes as one transaction reads and changes them. A B+tree whose nodes are records, accessed as any record
 * is, so that every protocol gives scans and safety from phantoms by what it does for tuples (Sundial, 3.4).
 *
 * <p>A transaction under an optimistic protocol may see nodes that never were together. It cannot commit, but must not
 * run wild until it learns that: every walk has a bound, and whatever cannot be is taken for a conflict.
 *
 * <p>An access that was fetched to read a node cannot be made a write any more. An attempt that needs that ends, and the
 * next ones are <em>thorough</em>: they access all nodes with everything that a delete needs.
 */
final class OrderedIndex {
    /** A hint may be this many splits behind before it is faster to begin at the root. */
    private static final int MAX_MOVES_RIGHT = 3;
    /** The ids of new nodes differ from the transaction's age, which is unique, in their first byte. */
    private static final int ORDINAL_SHIFT = 56;

    private static final int MAX_NEW_NODES = 255;

    private final Transaction txn;
    private final IndexHints hints;
    private boolean thorough;
    private int newNodes;
    private Access[] changes = {};
    private int changeCount;
    private int carriedOut;
    private Scan[] scans = {};
    private int scanCount;

    OrderedIndex(Transaction txn, IndexHints hints) {
        this.txn = txn;
        this.hints = hints;
    }

    /** A transaction begins. */
    void begin() {
        thorough = false;
    }

    /** The transaction's procedure runs from the start: nothing has been changed or scanned. */
    void restart() {
        newNodes = 0;
        changeCount = 0;
        carriedOut = 0;
        scanCount = 0;
    }

    int scans() {
        return scanCount;
    }

    Scan scan(int i) {
        assert i < scanCount : i;
        return scans[i];
    }

    // ---- changes ---------------------------------------------------------------------------------------------------

    /** Notes that a transaction inserts or deletes a key, and has its leaf fetched along with the record if that is known. */
    Access changing(Access access) {
        Table table = access.table();
        if (!table.isOrdered() || access.markIndexed()) {
            return access;
        }
        if (changeCount == changes.length) {
            changes = Arrays.copyOf(changes, Math.max(16, 2 * changeCount));
        }
        changes[changeCount++] = access;
        long leaf = hints.find(table, access.longKey());
        if (leaf != NO_NODE && !thorough) {
            Access known = txn.find(table.indexNodes(), leaf);
            if (known == null || (!known.isFetched() && known.intent() == Intent.READ)) {
                txn.node(table.indexNodes(), Intent.UPDATE, leaf);
            }
        }
        return access;
    }

    /** Carries the inserts and deletes so far into the index. */
    void complete() {
        if (carriedOut == changeCount) {
            return;
        }
        txn.fetch();
        while (carriedOut < changeCount) {
            Access access = changes[carriedOut++];
            if (access.intent() == Intent.INSERT && !access.exists()) {
                add(access.table(), access.longKey());
            } else if (access.intent() == Intent.DELETE && access.exists()) {
                remove(access.table(), access.longKey());
            }
        }
    }

    private void add(Table table, long key) {
        Access leaf = leaf(table, key, Intent.UPDATE);
        if (count(leaf) == table.indexNodeLayout().capacity(LEAF_LEVEL)) {
            Access right = split(table, leaf, key);
            if (key >= low(right)) {
                leaf = right;
            }
        }
        int i = position(leaf, key);
        check(i == count(leaf) || key(leaf, i) != key);
        openGap(leaf, i);
        leaf.putLong(keyOffset(LEAF_LEVEL, i), key);
    }

    private void remove(Table table, long key) {
        Access leaf = leaf(table, key, Intent.UPDATE);
        int i = position(leaf, key);
        check(i < count(leaf) && key(leaf, i) == key);
        closeGap(leaf, i);
        shrink(table, leaf);
    }

    // ---- splits ----------------------------------------------------------------------------------------------------

    /**
     * Splits a full node other than the root, because of {@code key}.
     *
     * @return the new node, to the right
     */
    private Access split(Table table, Access node, long key) {
        int level = level(node);
        int count = count(node);
        Access parent = descend(table, low(node), level + 1, Intent.UPDATE);
        Access right = newNode(table, level);
        boolean appends = level == LEAF_LEVEL && next(node) == NO_NODE && key > key(node, count - 1);
        int stay = appends ? count : count / 2; // keys that come in ascending order leave full leaves behind
        long boundary = appends ? key : key(node, stay);
        copyEntries(node, stay, right, 0, count - stay);
        right.putLong(COUNT_OFFSET, count - stay);
        right.putLong(LOW_OFFSET, boundary);
        right.putLong(HIGH_OFFSET, high(node));
        right.putLong(NEXT_OFFSET, next(node));
        node.putLong(COUNT_OFFSET, stay);
        node.putLong(HIGH_OFFSET, boundary - 1);
        if (level == LEAF_LEVEL) {
            node.putLong(NEXT_OFFSET, right.longKey());
        }
        addChild(table, parent, boundary, right.longKey());
        return right;
    }

    private void addChild(Table table, Access parent, long low, long child) {
        Access node = parent;
        int level = level(node);
        if (count(node) == table.indexNodeLayout().capacity(level)) {
            if (node.longKey() == ROOT) {
                node = grow(table, node);
            }
            Access right = split(table, node, low);
            if (low >= low(right)) {
                node = right;
            }
        }
        int i = position(node, low);
        check(i == count(node) || key(node, i) != low);
        openGap(node, i);
        node.putLong(keyOffset(level, i), low);
        node.putLong(childOffset(i), child);
    }

    /** Gives the tree a level more: the root's children become those of a new node, the root's only child. */
    private Access grow(Table table, Access root) {
        int level = level(root);
        check(level + 1 < MAX_LEVEL);
        Access child = newNode(table, level);
        copyEntries(root, 0, child, 0, count(root));
        child.putLong(COUNT_OFFSET, count(root));
        child.putLong(LOW_OFFSET, low(root));
        child.putLong(HIGH_OFFSET, high(root));
        root.putLong(LEVEL_OFFSET, level + 1);
        root.putLong(COUNT_OFFSET, 1);
        root.putLong(keyOffset(level + 1, 0), low(root));
        root.putLong(childOffset(0), child.longKey());
        return child;
    }

    /** Ids come from the age, so that another attempt at the same transaction inserts the same nodes. */
    private Access newNode(Table table, int level) {
        while (newNodes < MAX_NEW_NODES) {
            long id = txn.age() ^ (long) ++newNodes << ORDINAL_SHIFT;
            if (txn.find(table.indexNodes(), id) == null) {
                Access node = txn.node(table.indexNodes(), Intent.INSERT, id);
                txn.fetch();
                if (!node.exists()) {
                    node.putLong(LEVEL_OFFSET, level);
                    return node;
                }
            }
        }
        throw new IllegalStateException(
                "a transaction cannot make table " + table + "'s index split more than " + MAX_NEW_NODES + " times");
    }

    // ---- merges ----------------------------------------------------------------------------------------------------

    /**
     * Merges a node other than the root with its neighbour to the right or left, if it has just become sparse or has as
     * little as can be, and if they have the same parent and fit.
     */
    private void shrink(Table table, Access node) {
        IndexNodeLayout layout = table.indexNodeLayout();
        int level = level(node);
        int count = count(node);
        boolean hasFewest = count == IndexNodeLayout.fewest(level);
        if (count != layout.sparse(level) - 1 && !hasFewest) {
            return;
        }
        Access parent = descend(table, low(node), level + 1, Intent.UPDATE);
        int i = childPosition(parent, low(node));
        int most = hasFewest ? layout.capacity(level) : layout.comfortable(level);
        if (!merge(table, parent, i, most) && !merge(table, parent, i - 1, most)) {
            return;
        }
        if (parent.longKey() == ROOT) {
            lower(table, parent);
        } else {
            shrink(table, parent);
        }
    }

    /** Merges the {@code i}-th child of a node and the next one, if both exist and fit. */
    private boolean merge(Table table, Access parent, int i, int most) {
        if (i < 0 || i + 1 >= count(parent)) {
            return false;
        }
        int level = level(parent) - 1;
        Access left = child(table, parent, i, Intent.UPDATE);
        Access right = child(table, parent, i + 1, Intent.DELETE);
        check(high(left) + 1 == low(right) && (level > LEAF_LEVEL || next(left) == right.longKey()));
        int count = count(left);
        int more = count(right);
        if (count + more > most || right.intent() == Intent.INSERT) {
            return false;
        }
        requireRemovable(right);
        copyEntries(right, 0, left, count, more);
        left.putLong(COUNT_OFFSET, count + more);
        left.putLong(HIGH_OFFSET, high(right));
        left.putLong(NEXT_OFFSET, next(right));
        discard(table, right);
        closeGap(parent, i + 1);
        return true;
    }

    /** Takes the root's only child out of the tree while that is an inner node. */
    private void lower(Table table, Access root) {
        while (count(root) == 1 && level(root) > LEAF_LEVEL + 1) {
            int level = level(root) - 1;
            Access child = child(table, root, 0, Intent.DELETE);
            if (child.intent() == Intent.INSERT) {
                return;
            }
            requireRemovable(child);
            copyEntries(child, 0, root, 0, count(child));
            root.putLong(LEVEL_OFFSET, level);
            root.putLong(COUNT_OFFSET, count(child));
            hints.rootLevel(table, level);
            discard(table, child);
        }
    }

    private void discard(Table table, Access node) {
        if (level(node) == LEAF_LEVEL && hints.find(table, low(node)) == node.longKey()) {
            hints.forget(table, low(node));
        }
        node.remove();
    }

    private Access child(Table table, Access parent, int i, Intent intent) {
        Access node = open(table, parent.getLong(childOffset(i)), intent);
        check(isNode(table, node) && level(node) == level(parent) - 1 && low(node) == key(parent, i));
        return node;
    }

    // ---- scans -----------------------------------------------------------------------------------------------------

    /** Scans the keys from {@code from} to {@code last}, both inclusive. */
    Scan scan(Table table, long from, long last, int limit, Intent intent) {
        if (!table.isOrdered()) {
            throw new IllegalArgumentException("table " + table + " is not ordered, so it cannot be scanned");
        }
        if (intent == Intent.INSERT) {
            throw new IllegalArgumentException("records cannot be scanned to be inserted");
        }
        if (limit < 0) {
            throw new IllegalArgumentException("a scan's limit must be 0 or more, got " + limit);
        }
        complete();
        Scan scan = nextScan();
        if (from > last || limit == 0) {
            scan.reset(table, intent, Long.MAX_VALUE, Long.MIN_VALUE);
            return scan;
        }
        scan.reset(table, intent, from, last);
        Intent leafIntent = intent == Intent.DELETE ? Intent.UPDATE : Intent.READ;
        Access leaf = leaf(table, from, leafIntent);
        while (true) {
            for (int i = position(leaf, from); i < count(leaf) && key(leaf, i) <= last; i++) {
                if (scan.size() == limit) {
                    break;
                }
                long key = key(leaf, i);
                scan.add(key, record(table, key, intent));
            }
            long high = high(leaf);
            if (scan.size() == limit || high >= last) {
                break;
            }
            check(next(leaf) != NO_NODE);
            leaf = open(table, next(leaf), leafIntent); // along with the records of the leaf before
            check(isNode(table, leaf) && level(leaf) == LEAF_LEVEL && low(leaf) == high + 1);
            learn(table, leaf);
        }
        txn.fetch();
        for (int i = 0; i < scan.size(); i++) {
            Access access = scan.access(i);
            check(access.exists() || access.isWrite()); // a key that is in its leaf has a record
        }
        if (scan.size() == limit) {
            scan.endsAt(scan.key(limit - 1));
        }
        return scan;
    }

    private Access record(Table table, long key, Intent intent) {
        Access known = txn.find(table, key);
        check(known == null || known.intent() != Intent.DELETE); // what the transaction deletes is in no leaf any more
        if (known != null && known.intent() == Intent.INSERT && intent != Intent.DELETE) {
            if (intent == Intent.READ || !known.exists()) {
                return known; // the transaction's own, readable and writable
            }
        }
        return switch (intent) {
            case DELETE -> txn.delete(table, key);
            case UPDATE -> txn.update(table, key);
            case READ, INSERT -> txn.read(table, key);
        };
    }

    private Scan nextScan() {
        if (scanCount == scans.length) {
            scans = Arrays.copyOf(scans, Math.max(4, 2 * scanCount));
            for (int i = scanCount; i < scans.length; i++) {
                scans[i] = new Scan();
            }
        }
        return scans[scanCount++];
    }

    // ---- the way to a node -----------------------------------------------------------------------------------------

    /** The leaf that covers a key, by a hint or from the root. */
    private Access leaf(Table table, long key, Intent intent) {
        long id = hints.find(table, key);
        for (int moves = 0; id != NO_NODE && moves <= MAX_MOVES_RIGHT; moves++) {
            Access node = open(table, id, intent);
            if (!isNode(table, node) || level(node) != LEAF_LEVEL || key < low(node)) {
                if (moves == 0) {
                    hints.forget(table, key);
                }
                break;
            }
            learn(table, node);
            if (key <= high(node)) {
                return node;
            }
            id = next(node);
        }
        return descend(table, key, LEAF_LEVEL, intent);
    }

    /** The node of a level that covers a key, from the root. */
    private Access descend(Table table, long key, int level, Intent intent) {
        int rootLevel = hints.rootLevel(table);
        Access node = open(table, ROOT, rootLevel == level ? intent : Intent.READ);
        check(isNode(table, node) && level(node) > LEAF_LEVEL && level(node) >= level);
        if (!node.isWrite()) {
            hints.rootLevel(table, level(node));
        }
        if (level(node) == level) {
            node = open(table, ROOT, intent);
        }
        while (level(node) > level) {
            int childLevel = level(node) - 1;
            long id = node.getLong(childOffset(childPosition(node, key)));
            node = open(table, id, childLevel == level ? intent : Intent.READ);
            check(isNode(table, node) && level(node) == childLevel && low(node) <= key && key <= high(node));
        }
        if (level == LEAF_LEVEL) {
            learn(table, node);
        }
        return node;
    }

    /** What the transaction has changed itself may never be so: its next attempt, led there, would need yet other nodes. */
    private void learn(Table table, Access leaf) {
        if (!leaf.isWrite()) {
            hints.learn(table, low(leaf), high(leaf), leaf.longKey());
        }
    }

    /**
     * Fetches a node to read it, to update it, or (delete) to be able to remove it. It may turn out not to be there.
     */
    private Access open(Table table, long id, Intent intent) {
        Table nodes = table.indexNodes();
        Access node = txn.find(nodes, id);
        if (node == null) {
            Intent wanted = thorough ? Intent.DELETE : intent;
            node = txn.node(nodes, wanted, id);
            if (wanted == Intent.DELETE) {
                node.removeLater();
            }
        } else if (!node.isFetched()) {
            txn.node(nodes, intent == Intent.DELETE ? Intent.UPDATE : intent, id);
        } else if (intent != Intent.READ && node.intent() == Intent.READ) {
            beThorough();
        }
        if (!node.isFetched()) {
            txn.fetch();
            if (node.intent() == Intent.DELETE) {
                node.keep();
            }
        }
        return node;
    }

    /** Whether a node is there and can be trusted to be one. */
    private boolean isNode(Table table, Access node) {
        boolean there = node.intent() == Intent.INSERT
                ? node.isWrite()
                : node.exists() && node.intent() != Intent.DELETE; // which this transaction has removed
        if (!there) {
            return false;
        }
        long level = node.getLong(LEVEL_OFFSET);
        long count = node.getLong(COUNT_OFFSET);
        return level >= LEAF_LEVEL
                && level < MAX_LEVEL
                && count >= IndexNodeLayout.fewest((int) level)
                && count <= table.indexNodeLayout().capacity((int) level);
    }

    private void requireRemovable(Access node) {
        if (!node.isRemovable()) {
            beThorough();
        }
    }

    private void beThorough() {
        thorough = true;
        conflict();
    }

    private void check(boolean condition) {
        if (!condition) {
            conflict();
        }
    }

    /** The index is not what it was taken to be: the attempt ends. */
    private void conflict() {
        txn.abort(AbortReason.INDEX_CHANGED);
        throw Rollback.INSTANCE;
    }

    // ---- the inside of a node --------------------------------------------------------------------------------------

    private static int level(Access node) {
        return (int) node.getLong(LEVEL_OFFSET);
    }

    private static int count(Access node) {
        return (int) node.getLong(COUNT_OFFSET);
    }

    private static long low(Access node) {
        return node.getLong(LOW_OFFSET);
    }

    private static long high(Access node) {
        return node.getLong(HIGH_OFFSET);
    }

    private static long next(Access node) {
        return node.getLong(NEXT_OFFSET);
    }

    private static long key(Access node, int i) {
        return node.getLong(keyOffset(level(node), i));
    }

    /** The position of the first key, or low key, that is not less than {@code key}. */
    private static int position(Access node, long key) {
        int level = level(node);
        int from = 0;
        int to = count(node);
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (node.getLong(keyOffset(level, middle)) < key) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from;
    }

    /** The position of the child of an inner node that covers a key. */
    private static int childPosition(Access node, long key) {
        int i = position(node, key);
        return i < count(node) && key(node, i) == key ? i : Math.max(0, i - 1);
    }

    private static void openGap(Access node, int at) {
        int count = count(node);
        for (int i = count; i > at; i--) {
            copyEntry(node, i - 1, node, i);
        }
        node.putLong(COUNT_OFFSET, count + 1L);
    }

    private static void closeGap(Access node, int at) {
        int count = count(node);
        copyEntries(node, at + 1, node, at, count - at - 1);
        node.putLong(COUNT_OFFSET, count - 1L);
    }

    private static void copyEntries(Access from, int fromIndex, Access to, int toIndex, int entries) {
        for (int i = 0; i < entries; i++) {
            copyEntry(from, fromIndex + i, to, toIndex + i);
        }
    }

    private static void copyEntry(Access from, int fromIndex, Access to, int toIndex) {
        int level = level(from);
        to.putLong(keyOffset(level, toIndex), from.getLong(keyOffset(level, fromIndex)));
        if (level > LEAF_LEVEL) {
            to.putLong(childOffset(toIndex), from.getLong(childOffset(fromIndex)));
        }
    }
}
