package dev.rcc.it.protocol;

class SundialOnSimHybridCodeTest extends HybridCodeContract implements SundialOnSim {}
