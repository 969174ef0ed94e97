package dev.rcc.transport.verbs.ibv;

/** The path to a remote port, for datagrams. */
public final class AddressHandle extends VerbsResource {
    private final VerbsLibrary library;

    AddressHandle(VerbsLibrary library, ProtectionDomain pd, long address) {
        super("an address handle", address, pd);
        this.library = library;
    }

    @Override
    void destroy(long structAddress) {
        library.destroyAh.check(structAddress);
    }
}
