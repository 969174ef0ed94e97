package dev.rcc.it.protocol;

@EachProtocol.All
class ReadThenWriteOnSimTest extends ReadThenWriteContract implements OnSim {}
