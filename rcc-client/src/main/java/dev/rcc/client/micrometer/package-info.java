/**
 * Meters and observations of a client for Micrometer, named after OpenTelemetry's conventions for database clients.
 *
 * <p>Entry: {@link dev.rcc.client.micrometer.MicrometerTelemetry}. Only this package of the module needs
 * {@code io.micrometer:micrometer-core}, which is optional: a program that does not use this package does not need it. The client
 * calls it on the thread on which an operation begins or ends.
 */
package dev.rcc.client.micrometer;
