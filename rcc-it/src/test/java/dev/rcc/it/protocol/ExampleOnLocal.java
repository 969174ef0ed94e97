package dev.rcc.it.protocol;

/** An example in one JVM. It changes rarely: each build has some of its tests. */
interface ExampleOnLocal extends OnLocal, Example {
    @Override
    default boolean isShort() {
        return !OnNetwork.areAllAskedFor();
    }

    @Override
    default int oneIn() {
        return 3;
    }
}
