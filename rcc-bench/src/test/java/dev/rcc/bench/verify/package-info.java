/** Tests of the hunt's tools: what a trial judges, how a hunt runs, and what it keeps. */
package dev.rcc.bench.verify;
