/**
 * Meters and observations of a client for Micrometer, named after OpenTelemetry's conventions for database clients.
 *
 * <p>Entry: {@link dev.rcc.client.micrometer.MicrometerTelemetry}. The only package of this module that needs
 * {@code io.micrometer:micrometer-core}, which is optional: a program that does not touch this package does without it. Called
 * by the client on whatever thread something begins or ends.
 */
package dev.rcc.client.micrometer;
