package dev.rcc.it.protocol;

class SundialOnLocalScanTest extends ScanContract implements SundialOnLocal {}
