package dev.rcc.it.protocol;

class MvccOnLocalAtomicityTest extends AtomicityContract implements MvccOnLocal {}
