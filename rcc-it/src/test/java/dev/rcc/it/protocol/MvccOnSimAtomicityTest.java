package dev.rcc.it.protocol;

class MvccOnSimAtomicityTest extends AtomicityContract implements MvccOnSim {}
