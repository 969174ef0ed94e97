package dev.rcc.it.protocol;

@EachProtocol.All
class ScanOnSimTest extends ScanContract implements OnSim {}
