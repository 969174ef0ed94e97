package dev.rcc.it.protocol;

class NowaitOnLocalScanTest extends ScanContract implements NowaitOnLocal {}
