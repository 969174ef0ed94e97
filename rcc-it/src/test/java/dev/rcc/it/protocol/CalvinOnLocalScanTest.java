package dev.rcc.it.protocol;

class CalvinOnLocalScanTest extends ScanContract implements CalvinOnLocal {}
