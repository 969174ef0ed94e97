package dev.rcc.it.protocol;

class WaitdieOnLocalAtomicityTest extends AtomicityContract implements WaitdieOnLocal {}
