package dev.rcc.it.protocol;

class WaitdieOnSimAtomicityTest extends AtomicityContract implements WaitdieOnSim {}
