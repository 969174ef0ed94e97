package dev.rcc.core.txn;

import dev.rcc.core.store.Catalog;
import java.util.function.Function;

/**
 * The code of {@link Fragment}s of one kind: registered on every node before the cluster starts, by a name that is the same on all.
 *
 * @param name of the code, in the whole cluster
 * @param maker makes a fragment, without arguments yet, for the tables of a cluster
 */
public record FragmentType(String name, Function<Catalog, ? extends Fragment> maker) {
    /** Makes a fragment, whose arguments are still to be set; it is used on one worker. */
    public Fragment make(Catalog catalog) {
        return maker.apply(catalog);
    }
}
