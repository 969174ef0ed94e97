package dev.rcc.it.protocol;

class PunctualOnLocalScanTest extends ScanContract implements PunctualOnLocal {}
