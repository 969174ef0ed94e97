package dev.rcc.it.protocol;

class PunctualOnSimAtomicityTest extends AtomicityContract implements PunctualOnSim {}
