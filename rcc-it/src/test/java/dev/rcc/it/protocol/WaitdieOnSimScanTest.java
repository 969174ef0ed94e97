package dev.rcc.it.protocol;

class WaitdieOnSimScanTest extends ScanContract implements WaitdieOnSim {}
