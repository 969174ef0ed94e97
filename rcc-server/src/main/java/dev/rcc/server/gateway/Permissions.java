package dev.rcc.server.gateway;

import dev.rcc.client.ErrorCode;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Table;
import java.util.Optional;

/** The permissions of the user of one connection, by table. They may change; read and changed on any thread. */
final class Permissions {
    /** A user, and its role on each table, or null. */
    private static final class Granted {
        final User user;
        final Role[] roles;
        final boolean mayChangeSomething;

        Granted(User user, Catalog catalog) {
            this.user = user;
            this.mayChangeSomething = user.mayChangeSomething();
            this.roles = new Role[catalog.userTables()];
            for (int table = 0; table < roles.length; table++) {
                roles[table] = user.role(catalog.table(table).schema().name()).orElse(null);
            }
        }
    }

    private final Catalog catalog;
    private volatile Granted granted;

    Permissions(User user, Catalog catalog) {
        this.catalog = catalog;
        this.granted = new Granted(user, catalog);
    }

    /** The present user. */
    User user() {
        return granted.user;
    }

    /** Whether the user may change records of some table, or fence transactions by locks. */
    boolean mayChangeSomething() {
        return granted.mayChangeSomething;
    }

    /** Sets the user whose permissions apply from the next request on, in open transactions, too. */
    void become(User user) {
        granted = new Granted(user, catalog);
    }

    /** Why the user may not do an operation on a table that exists, or null. */
    Failure refusal(Operation operation, Table table) {
        return refusal(needed(operation), table);
    }

    /** Why the user may not do operations that need a role on a table, or null. */
    Failure refusal(Role needed, Table table) {
        Granted now = granted;
        Role has = now.roles[table.id()];
        return has != null && has.includes(needed) ? null : lacks(now.user, needed, "table " + table, has);
    }

    /** Why the user may not do operations that need a role on all tables, or null. */
    Failure refusal(Role needed) {
        User user = granted.user;
        Role has = user.roles().get(User.ALL_TABLES);
        return has != null && has.includes(needed) ? null : lacks(user, needed, "all tables", has);
    }

    /** Why the user may not ask for the locks of a namespace, or null. */
    Failure refusalToLock(String namespace) {
        User user = granted.user;
        return user.mayLock(namespace)
                ? null
                : new Failure(
                        ErrorCode.PERMISSION_DENIED,
                        "user " + user.name() + " lacks the role lock on namespace " + namespace
                                + ": have the role given in the servers' configuration");
    }

    private static Failure lacks(User user, Role needed, String where, Role has) {
        return new Failure(
                ErrorCode.PERMISSION_DENIED,
                "user " + user.name() + " lacks the role " + needed.label() + " on " + where + " (it has "
                        + Optional.ofNullable(has).map(Role::label).orElse("none")
                        + " there): have the role given in the servers' configuration");
    }

    private static Role needed(Operation operation) {
        return switch (operation) {
            case Operation.Get get -> get.forUpdate() ? Role.WRITE : Role.READ; // its lock blocks writers
            case Operation.Scan scan -> scan.forUpdate() ? Role.WRITE : Role.READ;
            case Operation.Put put -> Role.WRITE;
            case Operation.Insert insert -> Role.WRITE;
            case Operation.PatchRecord patched -> Role.WRITE;
            case Operation.Delete delete -> Role.WRITE;
            case Operation.Fence fence -> Role.WRITE;
        };
    }
}
