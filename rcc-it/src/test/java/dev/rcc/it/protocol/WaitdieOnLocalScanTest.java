package dev.rcc.it.protocol;

class WaitdieOnLocalScanTest extends ScanContract implements WaitdieOnLocal {}
