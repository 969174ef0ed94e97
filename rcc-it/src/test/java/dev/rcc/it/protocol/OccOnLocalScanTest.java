package dev.rcc.it.protocol;

class OccOnLocalScanTest extends ScanContract implements OccOnLocal {}
