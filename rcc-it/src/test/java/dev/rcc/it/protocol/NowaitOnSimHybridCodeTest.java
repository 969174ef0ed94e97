package dev.rcc.it.protocol;

class NowaitOnSimHybridCodeTest extends HybridCodeContract implements NowaitOnSim {}
