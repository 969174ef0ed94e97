package dev.rcc.it.protocol;

class ExclusiveOnLocalAtomicityTest extends AtomicityContract implements ExclusiveOnLocal {}
