/**
 * Transactions of a cluster for Spring: {@code @Transactional}, {@code TransactionTemplate} and Spring's exceptions.
 *
 * <p>Entry: {@link dev.rcc.client.spring.RccTransactionManager}. The only package of this module that needs
 * {@code org.springframework:spring-tx}, which is optional: a program that does not touch this package does without it. Everything
 * may be used on any thread, but a transaction belongs to the thread on which it was begun, as all of Spring's.
 */
package dev.rcc.client.spring;
