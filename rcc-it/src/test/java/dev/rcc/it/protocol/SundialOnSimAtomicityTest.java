package dev.rcc.it.protocol;

class SundialOnSimAtomicityTest extends AtomicityContract implements SundialOnSim {}
