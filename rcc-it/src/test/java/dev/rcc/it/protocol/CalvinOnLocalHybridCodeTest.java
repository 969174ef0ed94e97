package dev.rcc.it.protocol;

class CalvinOnLocalHybridCodeTest extends HybridCodeContract implements CalvinOnLocal {}
