/**
 * Transactions of a cluster for Spring: {@code @Transactional}, {@code TransactionTemplate} and Spring's exceptions.
 *
 * <p>Entry: {@link dev.rcc.client.spring.RccTransactionManager}. Only this package of the module needs
 * {@code org.springframework:spring-tx}, which is optional: a program that does not use this package does not need it. Any thread may
 * use any object, but a transaction belongs to the thread on which it began, as all transactions of Spring.
 */
package dev.rcc.client.spring;
