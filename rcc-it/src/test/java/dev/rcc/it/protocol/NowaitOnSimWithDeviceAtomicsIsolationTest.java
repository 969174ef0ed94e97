package dev.rcc.it.protocol;

class NowaitOnSimWithDeviceAtomicsIsolationTest extends IsolationContract implements NowaitOnSimWithDeviceAtomics {}
