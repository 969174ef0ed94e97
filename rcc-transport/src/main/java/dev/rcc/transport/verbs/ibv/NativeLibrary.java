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
 * A shared library that the system's loader finds, and its functions. The number behind {@code .so} in the name is the
 * version of the library's binary interface, so that another one is not found rather than called wrongly.
 */
@SuppressWarnings("restricted") // native access is what this is for; the launcher allows it
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
     * Loads a library for the rest of the process's life.
     *
     * @param soname such as {@code libibverbs.so.1}
     * @param remedy what to do where it is missing, to follow "... is missing:" in a sentence
     * @throws VerbsUnavailable when it is not there
     */
    public static NativeLibrary open(String soname, String remedy) {
        try {
            return new NativeLibrary(soname, SymbolLookup.libraryLookup(soname, Arena.global()), remedy);
        } catch (IllegalArgumentException e) {
            throw new VerbsUnavailable(soname + " is missing: " + remedy, e);
        }
    }

    /** The C library, which is there already. */
    public static NativeLibrary libc() {
        return new NativeLibrary("libc", Linker.nativeLinker().defaultLookup(), "");
    }

    /**
     * A function that returns a pointer or a long.
     *
     * @param name the symbol
     * @param arguments how many arguments it takes: integers of up to 64 bits and pointers
     * @throws VerbsUnavailable when the library has no such function
     */
    public NativeFunction pointerFunction(String name, int arguments) {
        return bind(name, ValueLayout.JAVA_LONG, arguments);
    }

    /** Likewise, a function that returns an int. */
    public NativeFunction intFunction(String name, int arguments) {
        return bind(name, ValueLayout.JAVA_INT, arguments);
    }

    /** Likewise, a function that returns nothing. */
    public NativeFunction voidFunction(String name, int arguments) {
        return bind(name, null, arguments);
    }

    private NativeFunction bind(String name, MemoryLayout result, int arguments) {
        MemorySegment symbol = symbols.find(name)
                .orElseThrow(() -> new VerbsUnavailable(soname + " has no function " + name
                        + ", so it is not the version that is known here: " + remedy));
        // Every argument goes as 64 bits. In registers, which is where up to six of them go on the platforms that
        // VerbsLibrary admits, a callee that wants fewer ignores the rest.
        MemoryLayout[] longs = new MemoryLayout[arguments];
        Arrays.fill(longs, ValueLayout.JAVA_LONG);
        FunctionDescriptor descriptor =
                result == null ? FunctionDescriptor.ofVoid(longs) : FunctionDescriptor.of(result, longs);
        MethodHandle handle = Linker.nativeLinker()
                .downcallHandle(symbol, descriptor, Linker.Option.captureCallState(NativeFunction.ERRNO));
        return new NativeFunction(name, handle, arguments);
    }
}
