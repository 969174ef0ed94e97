package dev.rcc.it.protocol;

class OccOnSimScanTest extends ScanContract implements OccOnSim {}
