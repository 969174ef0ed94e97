package dev.rcc.it.protocol;

class SundialOnSimScanTest extends ScanContract implements SundialOnSim {}
