package dev.rcc.it.protocol;

class CalvinOnSimScanTest extends ScanContract implements CalvinOnSim {}
