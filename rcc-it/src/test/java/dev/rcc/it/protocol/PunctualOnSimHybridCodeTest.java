package dev.rcc.it.protocol;

class PunctualOnSimHybridCodeTest extends HybridCodeContract implements PunctualOnSim {}
