package dev.rcc.it.protocol;

class NowaitOnSimScanTest extends ScanContract implements NowaitOnSim {}
