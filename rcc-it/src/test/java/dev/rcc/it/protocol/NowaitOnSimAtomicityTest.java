package dev.rcc.it.protocol;

class NowaitOnSimAtomicityTest extends AtomicityContract implements NowaitOnSim {}
