package dev.rcc.it.protocol;

class ExclusiveOnLocalHybridCodeTest extends HybridCodeContract implements ExclusiveOnLocal {}
