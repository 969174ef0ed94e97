package dev.rcc.it.protocol;

class NowaitOnSimWithDeviceAtomicsHybridCodeTest extends HybridCodeContract implements NowaitOnSimWithDeviceAtomics {}
