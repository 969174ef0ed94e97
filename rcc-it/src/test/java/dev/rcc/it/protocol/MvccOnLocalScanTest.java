package dev.rcc.it.protocol;

class MvccOnLocalScanTest extends ScanContract implements MvccOnLocal {}
