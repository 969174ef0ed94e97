package dev.rcc.it.protocol;

class MvccOnLocalHybridCodeTest extends HybridCodeContract implements MvccOnLocal {}
