package dev.rcc.it.protocol;

class CalvinOnSimAtomicityTest extends AtomicityContract implements CalvinOnSim {}
