package dev.rcc.it.protocol;

@EachProtocol.All
class FailureOnSimTest extends FailureContract implements OnSim {}
