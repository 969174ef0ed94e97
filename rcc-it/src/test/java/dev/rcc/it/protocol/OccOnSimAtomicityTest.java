package dev.rcc.it.protocol;

class OccOnSimAtomicityTest extends AtomicityContract implements OccOnSim {}
