/** The example service of docs/client.md, and that the page shows what compiles and runs. */
package dev.rcc.it.client;
