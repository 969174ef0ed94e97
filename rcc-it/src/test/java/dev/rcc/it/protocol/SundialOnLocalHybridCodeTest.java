package dev.rcc.it.protocol;

class SundialOnLocalHybridCodeTest extends HybridCodeContract implements SundialOnLocal {}
