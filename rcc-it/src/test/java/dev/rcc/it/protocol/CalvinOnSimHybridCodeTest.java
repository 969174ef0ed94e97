package dev.rcc.it.protocol;

class CalvinOnSimHybridCodeTest extends HybridCodeContract implements CalvinOnSim {}
