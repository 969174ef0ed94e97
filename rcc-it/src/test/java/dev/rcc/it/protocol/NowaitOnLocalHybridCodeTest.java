package dev.rcc.it.protocol;

class NowaitOnLocalHybridCodeTest extends HybridCodeContract implements NowaitOnLocal {}
