package dev.rcc.transport.verbs.ibv;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;

/**
 * A shared library that the system's loader finds, and its functions. The number after {@code .so} in the name is the
 * version of the library's binary interface, so that another version is not found rather than called wrongly.
 */
@SuppressWarnings("restricted") // this class exists for native access; the launcher allows it
public final class NativeLibrary {
    private final String soname;
    private final SymbolLookup symbols;
    private final String remedy;

    private NativeLibrary(String soname, SymbolLookup symbols, String remedy) {
        this.soname = soname;
        this.symbols = symbols;
        this.remedy = remedy;
    }

    /**
     * Loads a library until the process ends.
     *
     * @param soname such as {@code libibverbs.so.1}
     * @param remedy the advice for an operator if it is missing, to follow "... is missing:" in a sentence
     * @throws VerbsUnavailable when it is missing
     */
    public static NativeLibrary open(String soname, String remedy) {
        try {
            return new NativeLibrary(soname, SymbolLookup.libraryLookup(soname, Arena.global()), remedy);
        } catch (IllegalArgumentException e) {
            throw new VerbsUnavailable(soname + " is missing: " + remedy, e);
        }
    }

    /** The C library, which the process has loaded already. */
    public static NativeLibrary libc() {
        return new NativeLibrary("libc", Linker.nativeLinker().defaultLookup(), "");
    }

    /**
     * A function that returns a pointer or a long.
     *
     * @param name the symbol
     * @param arguments the number of its arguments: integers of up to 64 bits and pointers
     * @throws VerbsUnavailable when the library has no such function
     */
    public NativeFunction pointerFunction(String name, int arguments) {
        return bind(name, ValueLayout.JAVA_LONG, arguments);
    }

    /** A function that returns an int; otherwise as {@link #pointerFunction}. */
    public NativeFunction intFunction(String name, int arguments) {
        return bind(name, ValueLayout.JAVA_INT, arguments);
    }

    /** A function that returns nothing; otherwise as {@link #pointerFunction}. */
    public NativeFunction voidFunction(String name, int arguments) {
        return bind(name, null, arguments);
    }

    private NativeFunction bind(String name, MemoryLayout result, int arguments) {
        MemorySegment symbol = symbols.find(name)
                .orElseThrow(() -> new VerbsUnavailable(soname + " has no function " + name
                        + ", so it is not the version that is known here: " + remedy));
        // Every argument is passed as 64 bits. On the platforms that VerbsLibrary admits, up to six arguments
        // are passed in registers, where a callee that takes fewer bits ignores the others.
        MemoryLayout[] longs = new MemoryLayout[arguments];
        Arrays.fill(longs, ValueLayout.JAVA_LONG);
        FunctionDescriptor descriptor =
                result == null ? FunctionDescriptor.ofVoid(longs) : FunctionDescriptor.of(result, longs);
        MethodHandle handle = Linker.nativeLinker()
                .downcallHandle(symbol, descriptor, Linker.Option.captureCallState(NativeFunction.ERRNO));
        return new NativeFunction(name, handle, arguments);
    }
}
