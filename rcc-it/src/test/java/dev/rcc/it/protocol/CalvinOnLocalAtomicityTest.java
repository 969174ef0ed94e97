package dev.rcc.it.protocol;

class CalvinOnLocalAtomicityTest extends AtomicityContract implements CalvinOnLocal {}
