package dev.rcc.it.protocol;

class PunctualOnLocalAtomicityTest extends AtomicityContract implements PunctualOnLocal {}
