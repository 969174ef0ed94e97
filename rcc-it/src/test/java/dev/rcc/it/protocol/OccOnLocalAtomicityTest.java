package dev.rcc.it.protocol;

class OccOnLocalAtomicityTest extends AtomicityContract implements OccOnLocal {}
