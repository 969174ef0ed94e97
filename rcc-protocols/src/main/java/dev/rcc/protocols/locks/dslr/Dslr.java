package dev.rcc.protocols.locks.dslr;

import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.SharedWord;
import dev.rcc.core.protocol.WordChange;
import dev.rcc.protocols.locks.LockScheme;
import dev.rcc.protocols.locks.LockSite;
import dev.rcc.protocols.locks.LockVerbs;
import java.util.Set;

/** DSLR, on given terms. */
public final class Dslr implements LockScheme {
    private static final SharedWord FENCE = new SharedWord("fence");

    private final DslrTerms terms;
    private final DslrLayout layout;
    private final boolean isGuarded;

    /**
     * Creates the scheme on terms.
     *
     * @throws IllegalArgumentException if these do not fit together
     */
    public Dslr(DslrTerms terms) {
        this(terms, false);
    }

    /**
     * Creates the scheme on terms.
     *
     * @param isGuarded whether holders check in another way that no other requester has taken their lock: then a lease that runs out while they
     *     wait for further locks is no reason to give up
     * @throws IllegalArgumentException if these do not fit together
     */
    public Dslr(DslrTerms terms, boolean isGuarded) {
        this.terms = terms;
        this.isGuarded = isGuarded;
        this.layout = DslrLayout.of(terms.updates(), terms.countMax());
    }

    @Override
    public String name() {
        return "dslr";
    }

    /** Its terms. */
    public DslrTerms terms() {
        return terms;
    }

    /** The layout of its words. */
    public DslrLayout layout() {
        return layout;
    }

    @Override
    public Set<WordChange> changes(Primitive primitive) {
        WordChange.By by = primitive == Primitive.RPC ? WordChange.By.OWNER_CPU : WordChange.By.REMOTE_ATOMIC;
        return Set.of(new WordChange(SharedWord.LOCK, by), new WordChange(FENCE, by));
    }

    @Override
    public boolean isAtRest(long word) {
        return layout.isAtRest(word);
    }

    @Override
    public void checkRequesters(int requesters) {
        layout.checkRequesters(requesters, terms.slotsMax());
    }

    @Override
    public Locks serve(LockSite site) {
        checkRequesters(site.requesters());
        LockVerbs.serve(site);
        DslrService service = new DslrService(site, terms, layout, isGuarded);
        return (coroutine, completion, buffer) ->
                new DslrManager(site, terms, layout, isGuarded, service, coroutine, completion, buffer);
    }
}
