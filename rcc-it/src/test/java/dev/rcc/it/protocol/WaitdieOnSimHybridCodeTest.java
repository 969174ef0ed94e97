package dev.rcc.it.protocol;

class WaitdieOnSimHybridCodeTest extends HybridCodeContract implements WaitdieOnSim {}
