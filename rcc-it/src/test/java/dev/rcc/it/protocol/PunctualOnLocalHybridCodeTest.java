package dev.rcc.it.protocol;

class PunctualOnLocalHybridCodeTest extends HybridCodeContract implements PunctualOnLocal {}
