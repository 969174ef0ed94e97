package dev.rcc.it.protocol;

class MvccOnSimHybridCodeTest extends HybridCodeContract implements MvccOnSim {}
