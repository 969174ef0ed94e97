/** Tests of the YCSB binding that need no cluster; of the rest of it, see rcc-bench. */
package dev.rcc.client.ycsb;
