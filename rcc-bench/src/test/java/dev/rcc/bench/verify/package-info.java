/** Tests of the hunt's tools: the judgement of a trial, the course of a hunt, and the data that it keeps. */
package dev.rcc.bench.verify;
