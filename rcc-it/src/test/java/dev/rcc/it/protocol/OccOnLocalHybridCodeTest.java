package dev.rcc.it.protocol;

class OccOnLocalHybridCodeTest extends HybridCodeContract implements OccOnLocal {}
