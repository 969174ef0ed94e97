package dev.rcc.it.protocol;

class OccOnSimHybridCodeTest extends HybridCodeContract implements OccOnSim {}
