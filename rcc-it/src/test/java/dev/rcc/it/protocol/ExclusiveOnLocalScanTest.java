package dev.rcc.it.protocol;

class ExclusiveOnLocalScanTest extends ScanContract implements ExclusiveOnLocal {}
