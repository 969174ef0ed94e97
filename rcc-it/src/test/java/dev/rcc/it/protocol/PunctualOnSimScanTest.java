package dev.rcc.it.protocol;

class PunctualOnSimScanTest extends ScanContract implements PunctualOnSim {}
