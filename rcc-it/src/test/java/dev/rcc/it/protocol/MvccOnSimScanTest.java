package dev.rcc.it.protocol;

class MvccOnSimScanTest extends ScanContract implements MvccOnSim {}
