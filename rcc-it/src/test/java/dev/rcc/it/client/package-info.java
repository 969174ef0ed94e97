/** The examples of docs/client.md and their tests, so the page shows code that compiles and runs. */
package dev.rcc.it.client;
