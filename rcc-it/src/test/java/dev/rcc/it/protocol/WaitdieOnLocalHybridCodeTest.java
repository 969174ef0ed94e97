package dev.rcc.it.protocol;

class WaitdieOnLocalHybridCodeTest extends HybridCodeContract implements WaitdieOnLocal {}
