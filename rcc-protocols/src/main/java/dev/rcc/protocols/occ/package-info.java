/**
 * OCC: a transaction reads without locks, and only when it commits locks what it writes and validates what it has read
 * (rcc, 4.1; after DrTM+H).
 *
 * <p>Entry: {@link dev.rcc.protocols.occ.Occ}. Stages, in the order of a hybrid code: fetch, lock, validate, log, commit
 * (update and unlock), release. What they do is in {@link dev.rcc.protocols.optimistic}, and so is
 * their course ({@link dev.rcc.protocols.optimistic.ValidatingCoordinator}); OCC's own is what its lock word means.
 *
 * <p>Where the paper leaves something open:
 * <ul>
 *   <li>The paper's {@code seq} is the tuple's version, a commit timestamp.
 *   <li>What is fetched is whole and of one version: a procedure never sees a torn record. It can see records that do not
 *       belong together; what it throws, or an abort that it asks for, counts only if all that it has read still holds.
 *   <li>A read-only transaction validates too. It needs neither locks nor log.
 *   <li>Which keys exist is read and written as versions of the index's leaves
 *       ({@link dev.rcc.core.store.TableLayout}): a key that was not found is validated by its leaf, an insert or delete
 *       locks it.
 * </ul>
 */
package dev.rcc.protocols.occ;
