package dev.rcc.core.txn;

import static dev.rcc.core.store.IndexNodeLayout.COUNT_OFFSET;
import static dev.rcc.core.store.IndexNodeLayout.LEAF_LEVEL;
import static dev.rcc.core.store.IndexNodeLayout.LEVEL_OFFSET;
import static dev.rcc.core.store.IndexNodeLayout.LOW_OFFSET;
import static dev.rcc.core.store.IndexNodeLayout.MAX_LEVEL;
import static dev.rcc.core.store.IndexNodeLayout.NEXT_OFFSET;
import static dev.rcc.core.store.IndexNodeLayout.NO_NODE;
import static dev.rcc.core.store.IndexNodeLayout.ROOT;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.ByteKeySlot;
import dev.rcc.core.store.IndexNodeLayout;
import dev.rcc.core.store.KeyKind;
import dev.rcc.core.store.KeySlot;
import dev.rcc.core.store.Table;
import java.util.Arrays;

/**
 * The ordered indexes as one transaction reads and changes them. An index is a B+tree whose nodes are records, accessed as any record is. So every
 * protocol provides scans and safety from phantoms with its rules for tuples (Sundial, 3.4).
 *
 * <p>Keys are passed as slots ({@link KeySlot}): offsets in the coroutine's buffer. All keys of a transaction lie there, in the identity of an
 * access, in the image of a node or as a scan's bound. So the tree's code does not depend on the kind of a table's keys.
 *
 * <p>A transaction under an optimistic protocol may see nodes that never existed together. It cannot commit, but must not run wild until it finds
 * out: every walk has a bound, and every impossible state is taken for a conflict.
 *
 * <p>Where the protocol cannot upgrade a node that was fetched for reading ({@link Transaction.Fetcher#upgrade}), an attempt that needs that ends,
 * and the next ones are <em>thorough</em>: they declare all nodes for deletion. To remember single nodes, as {@link Foresight} does for records,
 * would take an attempt for each level of the tree.
 */
final class OrderedIndex {
    /** A hint may be this many splits behind before it is faster to begin at the root. */
    private static final int MAX_MOVES_RIGHT = 3;
    /** The ids of new nodes differ from the transaction's age, which is unique, in their first byte. */
    private static final int ORDINAL_SHIFT = 56;

    private static final int MAX_NEW_NODES = 255;
    /** In place of a partition: a new node may lie in any. */
    private static final int ANYWHERE = -1;

    private final Transaction txn;
    private final Memory memory;
    private final IndexHints hints;
    private boolean thorough;
    private int newNodes;
    private Access[] changes = {};
    private int changeCount;
    private int carriedOut;
    private final Recorder recorder = new Recorder();
    private Scan[] scans = {};
    private int scanCount;

    OrderedIndex(Transaction txn, IndexHints hints) {
        this.txn = txn;
        this.memory = txn.buffer().memory();
        this.hints = hints;
    }

    /** A transaction begins. */
    void begin() {
        thorough = false;
    }

    /** Whether the transaction declares all nodes for deletion. */
    boolean isThorough() {
        return thorough;
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

    /** Notes that a transaction inserts or deletes a key, and has the key's leaf fetched along with the record if the leaf is known. */
    Access changing(Access access) {
        Table table = access.table();
        boolean comesToNothing = access.isFetched() && !access.isWrite();
        if (!table.isOrdered() || comesToNothing || access.markIndexed(true)) {
            return access;
        }
        if (changeCount == changes.length) {
            changes = Arrays.copyOf(changes, Math.max(16, 2 * changeCount));
        }
        changes[changeCount++] = access;
        long leaf = hints.find(table, memory, access.keySlot());
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
        try {
            while (carriedOut < changeCount) {
                carryOut(changes[carriedOut++]);
            }
        } catch (RuntimeException | Error e) {
            txn.leaveHalfDone(e);
            throw e;
        }
    }

    private void carryOut(Access access) {
        if (access.intent() == Intent.INSERT && !access.exists()) {
            add(access.table(), access.keySlot());
        } else if (access.intent() == Intent.DELETE && access.exists()) {
            remove(access.table(), access.keySlot());
        } else {
            access.markIndexed(false); // the transaction may do the other later
        }
    }

    private void add(Table table, long key) {
        Access leaf = leaf(table, key, Intent.UPDATE);
        if (table.isByPrefix() && home(table, key) != leaf.partition()) {
            leaf = part(table, leaf, key);
        }
        if (count(leaf) == table.indexNodeLayout().capacity(LEAF_LEVEL)) {
            Access right = split(table, leaf, key);
            if (compare(table, key, low(right)) >= 0) {
                leaf = right;
            }
        }
        int i = position(leaf, key);
        check(i == count(leaf) || compare(table, key(leaf, i), key) != 0);
        openGap(leaf, i);
        putKey(leaf, layout(leaf).keyOffset(LEAF_LEVEL, i), key);
    }

    private void remove(Table table, long key) {
        Access leaf = leaf(table, key, Intent.UPDATE);
        int i = position(leaf, key);
        check(i < count(leaf) && compare(table, key(leaf, i), key) == 0);
        closeGap(leaf, i);
        shrink(table, leaf);
    }

    // ---- splits ----------------------------------------------------------------------------------------------------

    /**
     * Makes a leaf in a key's partition, between the smaller and the greater keys of a leaf of another partition.
     *
     * @return the new leaf
     */
    private Access part(Table table, Access leaf, long key) {
        long boundary = prefix(table, key);
        check(compare(table, low(leaf), boundary) < 0); // a leaf that begins with the prefix lies in its partition
        int stay = position(leaf, boundary);
        if (stay < count(leaf)) {
            long next = prefix(table, key(leaf, stay));
            check(compare(table, key, next) < 0);
            split(table, leaf, stay, next);
        }
        return split(table, leaf, stay, boundary);
    }

    /** The least key with the prefix of another. */
    private long prefix(Table table, long key) {
        KeySlot keys = keys(table);
        long prefix = txn.buffer().allocate(keys.bytes());
        keys.putPrefix(memory, key, table.schema().distribution().prefixBytes(), memory, prefix);
        return prefix;
    }

    /**
     * Splits a full node other than the root, to make room for {@code key}. Keys that are inserted in ascending order, at the table's end or before
     * keys of another kind, leave full leaves behind: their leaf is split at the place of the next key.
     *
     * @return the new node, to the right
     */
    private Access split(Table table, Access node, long key) {
        int count = count(node);
        int stay = count / 2;
        if (level(node) == LEAF_LEVEL) {
            int place = position(node, key);
            boolean isLast = place == count && next(node) == NO_NODE;
            if (isLast || (place > 0 && place == afterLastInsert(node))) {
                stay = place;
            }
        }
        return split(table, node, stay, stay == count ? key : key(node, stay));
    }

    /**
     * Splits a node other than the root.
     *
     * @param stay how many of its entries stay
     * @param boundary the low fence of the new node
     * @return the new node, to the right
     */
    private Access split(Table table, Access node, int stay, long boundary) {
        int level = level(node);
        int count = count(node);
        Access parent = descend(table, low(node), level + 1, Intent.UPDATE);
        Access right = newNode(table, level, level == LEAF_LEVEL ? home(table, boundary) : home(table, node, stay));
        copyEntries(node, stay, right, 0, count - stay);
        right.putLong(COUNT_OFFSET, count - stay);
        putKey(right, LOW_OFFSET, boundary);
        putKey(right, layout(right).highOffset(), high(node));
        right.putLong(NEXT_OFFSET, next(node));
        node.putLong(COUNT_OFFSET, stay);
        keys(table)
                .putPredecessor(
                        memory,
                        boundary,
                        memory,
                        node.writableRecord() + layout(node).highOffset());
        if (level == LEAF_LEVEL) {
            node.putLong(NEXT_OFFSET, right.longKey());
        }
        addChild(table, parent, low(right), right.longKey());
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
            if (compare(table, low, low(right)) >= 0) {
                node = right;
            }
        }
        int i = position(node, low);
        check(i == count(node) || compare(table, key(node, i), low) != 0);
        openGap(node, i);
        putKey(node, layout(node).keyOffset(level, i), low);
        node.putLong(layout(node).childOffset(i), child);
    }

    /** Adds a level to the tree: the root's children become the children of a new node, the root's only child. */
    private Access grow(Table table, Access root) {
        int level = level(root);
        check(level + 1 < MAX_LEVEL);
        Access child = newNode(table, level, home(table, root, 0));
        copyEntries(root, 0, child, 0, count(root));
        child.putLong(COUNT_OFFSET, count(root));
        putKey(child, LOW_OFFSET, low(root));
        putKey(child, layout(child).highOffset(), high(root));
        root.putLong(LEVEL_OFFSET, level + 1);
        root.putLong(COUNT_OFFSET, 1);
        putKey(root, layout(root).keyOffset(level + 1, 0), low(root));
        root.putLong(layout(root).childOffset(0), child.longKey());
        return child;
    }

    /** The partition that a new leaf with this low fence is to lie in, or {@link #ANYWHERE}. */
    private int home(Table table, long low) {
        return table.isByPrefix() ? keys(table).partition(table, memory, low) : ANYWHERE;
    }

    /**
     * The partition for a new inner node that takes a node's children from {@code from} on: the children's if they have the same, else
     * {@link #ANYWHERE}.
     */
    private int home(Table table, Access node, int from) {
        int home = home(table, key(node, from));
        for (int i = from + 1, end = count(node); i < end && home != ANYWHERE; i++) {
            home = home(table, key(node, i)) == home ? home : ANYWHERE;
        }
        return home;
    }

    /** Adds a node. Its id comes from the age, so that another attempt at the same transaction inserts the same nodes. */
    private Access newNode(Table table, int level, int home) {
        while (newNodes < MAX_NEW_NODES) {
            long number = txn.age() ^ (long) ++newNodes << ORDINAL_SHIFT;
            long id = home == ANYWHERE ? number : table.indexNodes().idWithin(home, number);
            if (id != NO_NODE && id != ROOT && txn.find(table.indexNodes(), id) == null) {
                Access node = txn.node(table.indexNodes(), Intent.INSERT, id);
                txn.fetch();
                if (!node.exists()) {
                    node.putLong(LEVEL_OFFSET, level);
                    return node;
                }
            }
        }
        throw new TransactionTooLarge("a transaction may add " + MAX_NEW_NODES
                + " nodes to ordered indexes, and needs one more for table " + table + ": insert fewer keys at once");
    }

    // ---- merges ----------------------------------------------------------------------------------------------------

    /**
     * Merges a node other than the root with its neighbour to the right or left, if it has just become sparse or has the fewest entries possible. The
     * two must have the same parent and fit into one.
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

    /** Merges the {@code i}-th child of a node and the next child, if both exist and fit into one. */
    private boolean merge(Table table, Access parent, int i, int most) {
        if (i < 0 || i + 1 >= count(parent)) {
            return false;
        }
        int level = level(parent) - 1;
        Access left = child(table, parent, i, Intent.UPDATE);
        Access right = child(table, parent, i + 1, Intent.DELETE);
        check(isPredecessor(table, high(left), low(right)) && (level > LEAF_LEVEL || next(left) == right.longKey()));
        int count = count(left);
        int more = count(right);
        if (count + more > most || right.intent() == Intent.INSERT || !mayShare(table, left, right)) {
            return false;
        }
        require(right, Intent.DELETE);
        copyEntries(right, 0, left, count, more);
        left.putLong(COUNT_OFFSET, count + more);
        putKey(left, layout(left).highOffset(), high(right));
        left.putLong(NEXT_OFFSET, next(right));
        discard(table, right);
        closeGap(parent, i + 1);
        return true;
    }

    /** Whether a node may take over the entries of the next node: a leaf takes no keys of another partition. */
    private static boolean mayShare(Table table, Access left, Access right) {
        return !table.isByPrefix()
                || level(left) > LEAF_LEVEL
                || count(right) == 0
                || left.partition() == right.partition();
    }

    /** Takes the root's only child out of the tree while that child is an inner node. */
    private void lower(Table table, Access root) {
        while (count(root) == 1 && level(root) > LEAF_LEVEL + 1) {
            int level = level(root) - 1;
            Access child = child(table, root, 0, Intent.DELETE);
            if (child.intent() == Intent.INSERT) {
                return;
            }
            require(child, Intent.DELETE);
            copyEntries(child, 0, root, 0, count(child));
            root.putLong(LEVEL_OFFSET, level);
            root.putLong(COUNT_OFFSET, count(child));
            hints.rootLevel(table, level);
            discard(table, child);
        }
    }

    private void discard(Table table, Access node) {
        if (level(node) == LEAF_LEVEL && hints.find(table, memory, low(node)) == node.longKey()) {
            hints.forget(table, memory, low(node));
        }
        node.remove();
    }

    private Access child(Table table, Access parent, int i, Intent intent) {
        Access node = open(table, parent.getLong(layout(parent).childOffset(i)), intent);
        check(isNode(table, node)
                && level(node) == level(parent) - 1
                && compare(table, low(node), key(parent, i)) == 0);
        return node;
    }

    // ---- scans -----------------------------------------------------------------------------------------------------

    /** Scans the 64-bit keys from {@code from} to {@code last}, both inclusive. */
    Scan scan(Table table, long from, long last, int limit, Intent intent) {
        return scan(range(table, from, last, limit, intent, false), limit);
    }

    /** Scans the byte strings from {@code from} on that are less than {@code to}; null: to the end. */
    Scan scan(Table table, byte[] from, byte[] to, int limit, Intent intent) {
        return scan(range(table, from, to, limit, intent, false, false), limit);
    }

    /** Scans the 64-bit keys from {@code last} down to {@code from}, both inclusive. */
    Scan scanDown(Table table, long from, long last, int limit, Intent intent) {
        return scan(range(table, from, last, limit, intent, true), limit);
    }

    /** Scans the byte strings that are less than {@code to}, or from the end if that is null, down to {@code from}. */
    Scan scanDown(Table table, byte[] from, byte[] to, int limit, Intent intent) {
        return scan(range(table, from, to, limit, intent, true, false), limit);
    }

    /** Scans the byte strings that begin with {@code prefix}. */
    Scan scanPrefix(Table table, byte[] prefix, int limit, Intent intent, boolean descends) {
        return scan(rangeOf(table, prefix, limit, intent, descends, false), limit);
    }

    /** Finds the records whose entries are in a range, as {@link #scan(Table, byte[], byte[], int, Intent)}. */
    Scan find(Table table, byte[] from, byte[] to, int limit, Intent intent, boolean descends) {
        requireIndex(table);
        return txn.secondary().find(range(table, from, to, limit, intent, descends, true), limit);
    }

    /** Finds the records whose entries begin with {@code prefix}. */
    Scan findPrefix(Table table, byte[] prefix, int limit, Intent intent, boolean descends) {
        requireIndex(table);
        return txn.secondary().find(rangeOf(table, prefix, limit, intent, descends, true), limit);
    }

    private static void requireIndex(Table table) {
        if (!table.isIndex()) {
            throw new IllegalArgumentException("table " + table + " is not a secondary index: use scan");
        }
    }

    private Scan range(Table table, long from, long last, int limit, Intent intent, boolean descends) {
        Scan scan = begin(table, KeyKind.LONG, limit, intent, descends, false);
        memory.putLong(scan.fromSlot(), from);
        memory.putLong(scan.lastSlot(), last);
        return scan;
    }

    private Scan rangeOf(Table table, byte[] prefix, int limit, Intent intent, boolean descends, boolean finds) {
        Scan scan = begin(table, KeyKind.BYTES, limit, intent, descends, finds);
        ByteKeySlot keys = (ByteKeySlot) keys(table);
        if (!keys.putPrefix(memory, scan.fromSlot(), scan.lastSlot(), prefix)) {
            scan.findsNothing();
        }
        return scan;
    }

    private Scan range(Table table, byte[] from, byte[] to, int limit, Intent intent, boolean descends, boolean finds) {
        Scan scan = begin(table, KeyKind.BYTES, limit, intent, descends, finds);
        ByteKeySlot keys = (ByteKeySlot) keys(table);
        boolean isSome = keys.putCeiling(memory, scan.fromSlot(), from);
        if (isSome && to == null) {
            keys.putGreatest(memory, scan.lastSlot());
        } else if (isSome) {
            isSome = keys.putLower(memory, scan.lastSlot(), to);
        }
        if (!isSome) {
            scan.findsNothing();
        }
        return scan;
    }

    private Scan begin(Table table, KeyKind keyKind, int limit, Intent intent, boolean descends, boolean finds) {
        if (!table.isOrdered()) {
            throw new IllegalArgumentException("table " + table + " is not ordered, so it cannot be scanned");
        }
        if (table.schema().keyKind() != keyKind) {
            throw new IllegalArgumentException("table " + table + " has "
                    + (keyKind == KeyKind.LONG ? "byte-string keys, got numbers" : "64-bit keys, got byte strings")
                    + " as a range");
        }
        if (intent == Intent.INSERT || intent == Intent.WRITE) {
            throw new IllegalArgumentException("records cannot be scanned for " + intent);
        }
        if (limit < 0) {
            throw new IllegalArgumentException("a scan's limit must be 0 or more, got " + limit);
        }
        if (table.isIndex() && intent != Intent.READ && !finds) {
            throw new IllegalArgumentException(table.refusalToWrite());
        }
        complete();
        Scan scan = nextScan();
        scan.reset(table, intent, descends, txn.buffer());
        return scan;
    }

    private Scan scan(Scan scan, int limit) {
        walk(scan, limit, recorder.of(scan));
        txn.fetch();
        for (int i = 0; i < scan.size(); i++) {
            Access access = scan.access(i);
            check(access.exists() || access.isWrite()); // a key that is in its leaf has a record
        }
        if (limit > 0 && scan.size() == limit) {
            scan.endsWith(scan.access(limit - 1).keySlot());
        }
        return scan;
    }

    /** Receives the keys that a walk along the leaves finds. */
    interface Finder {
        /** Receives the key in a slot, which stays as it is until the transaction changes the index. */
        void find(long key);
    }

    /** Goes along the keys of a scan's range, in its order, up to a number of them. */
    void walk(Scan scan, int limit, Finder finder) {
        if (compare(scan.table(), scan.fromSlot(), scan.lastSlot()) > 0 || limit == 0) {
            scan.findsNothing();
        } else if (scan.descends()) {
            goDown(scan, limit, finder);
        } else {
            goUp(scan, limit, finder);
        }
    }

    /** Has the record of each key fetched along with the next leaf. */
    private final class Recorder implements Finder {
        private Scan scan;

        Recorder of(Scan newScan) {
            scan = newScan;
            return this;
        }

        @Override
        public void find(long key) {
            scan.add(record(scan.table(), key, scan.intent()));
        }
    }

    /** Goes from leaf to leaf; each is fetched along with the records of the leaf before. */
    private void goUp(Scan scan, int limit, Finder finder) {
        Table table = scan.table();
        Access leaf = leaf(table, scan.fromSlot(), leafIntent(scan));
        int found = 0;
        while (true) {
            for (int i = position(leaf, scan.fromSlot()), end = count(leaf); i < end && found < limit; i++) {
                if (compare(table, key(leaf, i), scan.lastSlot()) > 0) {
                    break;
                }
                finder.find(key(leaf, i));
                found++;
            }
            if (found == limit || compare(table, high(leaf), scan.lastSlot()) >= 0) {
                return;
            }
            check(next(leaf) != NO_NODE);
            Access before = leaf;
            leaf = open(table, next(leaf), leafIntent(scan));
            check(isNode(table, leaf) && level(leaf) == LEAF_LEVEL && isPredecessor(table, high(before), low(leaf)));
            learn(table, leaf);
        }
    }

    /** As {@link #goUp}, the other way. A leaf has no link to the leaf before it: that one is found as the leaf of the key before the low fence. */
    private void goDown(Scan scan, int limit, Finder finder) {
        Table table = scan.table();
        KeySlot keys = keys(table);
        long end = txn.buffer().allocate(keys.bytes());
        keys.copy(memory, scan.lastSlot(), memory, end);
        int found = 0;
        while (true) {
            Access leaf = leaf(table, end, leafIntent(scan));
            for (int i = lastPosition(leaf, end); i >= 0 && found < limit; i--) {
                if (compare(table, key(leaf, i), scan.fromSlot()) < 0) {
                    break;
                }
                finder.find(key(leaf, i));
                found++;
            }
            if (found == limit || compare(table, low(leaf), scan.fromSlot()) <= 0) {
                return;
            }
            keys.putPredecessor(memory, low(leaf), memory, end);
        }
    }

    private static Intent leafIntent(Scan scan) {
        return scan.intent() == Intent.DELETE ? Intent.UPDATE : Intent.READ;
    }

    Access record(Table table, long key, Intent intent) {
        Access known = txn.findSlot(table, key);
        check(known == null || known.intent() != Intent.DELETE); // a key that the transaction deletes is in no leaf
        if (isOwn(known, intent)) {
            return known;
        }
        Access access = txn.accessSlot(table, intent, key);
        return intent == Intent.DELETE ? changing(access) : access;
    }

    /** Whether the transaction has made a record itself, and so can read and write it for any intent except to delete it. */
    static boolean isOwn(Access known, Intent intent) {
        return known != null
                && intent != Intent.DELETE
                && ((known.intent() == Intent.INSERT && (intent == Intent.READ || !known.exists()))
                        || known.isReplacing());
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
        long id = hints.find(table, memory, key);
        for (int moves = 0; id != NO_NODE && moves <= MAX_MOVES_RIGHT; moves++) {
            Access node = open(table, id, intent);
            if (!isNode(table, node) || level(node) != LEAF_LEVEL || compare(table, key, low(node)) < 0) {
                if (moves == 0) {
                    hints.forget(table, memory, key);
                }
                break;
            }
            learn(table, node);
            if (compare(table, key, high(node)) <= 0) {
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
            long id = node.getLong(layout(node).childOffset(childPosition(node, key)));
            node = open(table, id, childLevel == level ? intent : Intent.READ);
            check(isNode(table, node)
                    && level(node) == childLevel
                    && compare(table, low(node), key) <= 0
                    && compare(table, key, high(node)) <= 0);
        }
        if (level == LEAF_LEVEL) {
            learn(table, node);
        }
        return node;
    }

    /**
     * Remembers a leaf unless the transaction has changed it: such a leaf may never be committed, and the next attempt, led there, would need yet
     * other nodes.
     */
    private void learn(Table table, Access leaf) {
        if (!leaf.isWrite()) {
            hints.learn(table, memory, low(leaf), high(leaf), leaf.longKey());
        }
    }

    /**
     * Fetches a node to read it, to update it, or (delete) to be able to remove it. The node may turn out to be missing.
     */
    private Access open(Table table, long id, Intent intent) {
        Table nodes = table.indexNodes();
        Access node = txn.find(nodes, id);
        if (node == null) {
            Intent declared = thorough ? Intent.DELETE : intent;
            node = txn.node(nodes, declared == Intent.READ ? Intent.READ : Intent.UPDATE, id);
            node.extend(declared);
        } else if (!node.isFetched()) {
            txn.node(nodes, intent == Intent.DELETE ? Intent.UPDATE : intent, id);
        } else if (intent != Intent.READ && node.intent() == Intent.READ) {
            require(node, Intent.UPDATE);
            node.upgrade(Intent.UPDATE);
        }
        if (!node.isFetched()) {
            txn.fetch();
        }
        return node;
    }

    /** Whether a node is there and has the form of a node. */
    private boolean isNode(Table table, Access node) {
        boolean there = node.intent() == Intent.INSERT
                ? node.isWrite()
                : node.exists() && node.intent() != Intent.DELETE; // this transaction has removed it
        if (!there) {
            return false;
        }
        long level = node.getLong(LEVEL_OFFSET);
        int count = count(node);
        return level >= LEAF_LEVEL
                && level < MAX_LEVEL
                && count >= IndexNodeLayout.fewest((int) level)
                && count <= table.indexNodeLayout().capacity((int) level);
    }

    /** Makes sure that a fetched node may be updated or removed; otherwise the attempt ends. */
    private void require(Access node, Intent intent) {
        if (!txn.upgradeInPlace(node, intent)) {
            thorough = true;
            conflict();
        }
    }

    void check(boolean condition) {
        if (!condition) {
            conflict();
        }
    }

    /** The index is not as the attempt had assumed: the attempt ends. */
    void conflict() {
        txn.abort(AbortReason.INDEX_CHANGED);
        throw Rollback.INSTANCE;
    }

    // ---- the inside of a node --------------------------------------------------------------------------------------

    private static int level(Access node) {
        return (int) node.getLong(LEVEL_OFFSET);
    }

    private static int count(Access node) {
        return IndexNodeLayout.count(node.getLong(COUNT_OFFSET));
    }

    private static int afterLastInsert(Access node) {
        return IndexNodeLayout.afterLastInsert(node.getLong(COUNT_OFFSET));
    }

    private static long next(Access node) {
        return node.getLong(NEXT_OFFSET);
    }

    private static long low(Access node) {
        return node.readableRecord() + LOW_OFFSET;
    }

    private static long high(Access node) {
        return node.readableRecord() + layout(node).highOffset();
    }

    private static long key(Access node, int i) {
        return node.readableRecord() + layout(node).keyOffset(level(node), i);
    }

    private static IndexNodeLayout layout(Access node) {
        return node.table().indexNodeLayout();
    }

    private static KeySlot keys(Table table) {
        return table.indexNodeLayout().keys();
    }

    private int compare(Table table, long a, long b) {
        return keys(table).compare(memory, a, memory, b);
    }

    private boolean isPredecessor(Table table, long a, long b) {
        return keys(table).isPredecessor(memory, a, memory, b);
    }

    private void putKey(Access node, int offset, long key) {
        layout(node).keys().copy(memory, key, memory, node.writableRecord() + offset);
    }

    /** The position of the first key, or low key, that is not less than {@code key}. */
    private int position(Access node, long key) {
        KeySlot keys = layout(node).keys();
        int level = level(node);
        long entries = node.readableRecord() + layout(node).keyOffset(level, 0);
        int entryBytes = layout(node).entryBytes(level);
        int from = 0;
        int to = count(node);
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (keys.compare(memory, entries + (long) middle * entryBytes, memory, key) < 0) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from;
    }

    /** The position of the last key that is not greater than {@code key}, or -1. */
    private int lastPosition(Access leaf, long key) {
        int i = position(leaf, key);
        return i < count(leaf) && compare(leaf.table(), key(leaf, i), key) == 0 ? i : i - 1;
    }

    /** The position of the child of an inner node that covers a key. */
    private int childPosition(Access node, long key) {
        int i = position(node, key);
        return i < count(node) && compare(node.table(), key(node, i), key) == 0 ? i : Math.max(0, i - 1);
    }

    private void openGap(Access node, int at) {
        int count = count(node);
        copyEntries(node, at, node, at + 1, count - at);
        node.putLong(COUNT_OFFSET, IndexNodeLayout.countAfterInsert(count + 1, at));
    }

    private void closeGap(Access node, int at) {
        int count = count(node);
        copyEntries(node, at + 1, node, at, count - at - 1);
        node.putLong(COUNT_OFFSET, count - 1L);
    }

    private void copyEntries(Access from, int fromIndex, Access to, int toIndex, int entries) {
        int level = level(from);
        IndexNodeLayout layout = layout(from);
        memory.copy(
                from.readableRecord() + layout.keyOffset(level, fromIndex),
                memory,
                to.writableRecord() + layout.keyOffset(level, toIndex),
                (long) entries * layout.entryBytes(level));
    }
}
