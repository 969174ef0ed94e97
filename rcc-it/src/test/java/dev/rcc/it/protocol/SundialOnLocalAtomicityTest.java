package dev.rcc.it.protocol;

class SundialOnLocalAtomicityTest extends AtomicityContract implements SundialOnLocal {}
