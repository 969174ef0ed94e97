package dev.rcc.it.protocol;

class NowaitOnLocalAtomicityTest extends AtomicityContract implements NowaitOnLocal {}
