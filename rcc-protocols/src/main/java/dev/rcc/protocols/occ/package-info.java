/**
 * OCC: a transaction reads without locks. Only when it commits does it lock the records that it writes and validate those
 * that it has read (rcc, 4.1; after DrTM+H).
 *
 * <p>Entry: {@link dev.rcc.protocols.occ.Occ}. Stages, in the order of a hybrid code: fetch, lock, validate, log, commit
 * (update and unlock), release. The stages are in {@link dev.rcc.protocols.optimistic}, and so is
 * their course ({@link dev.rcc.protocols.optimistic.ValidatingCoordinator}); OCC's own is the meaning of its lock word.
 *
 * <p>Where the paper leaves something open:
 * <ul>
 *   <li>The paper's {@code seq} is the tuple's version, a commit timestamp.
 *   <li>A fetched record is whole and of one version: a procedure never sees a torn record. It can see records that do not
 *       belong together; its exception, or an abort that it requests, counts only if all its reads are still valid.
 *   <li>A read-only transaction validates too. It needs neither locks nor log.
 *   <li>The existence of keys is read and written as versions of the index's leaves
 *       ({@link dev.rcc.core.store.TableLayout}): a key that was not found is validated by its leaf; an insert or delete
 *       locks the leaf.
 * </ul>
 */
package dev.rcc.protocols.occ;
