package dev.rcc.server.gateway;

import dev.rcc.client.ErrorCode;
import dev.rcc.client.wire.Message;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Table;
import java.util.Optional;

/** What the user of one connection may do, by table. Immutable. */
final class Permissions {
    private final User user;
    private final Role[] roles;

    Permissions(User user, Catalog catalog) {
        this.user = user;
        this.roles = new Role[catalog.userTables()];
        for (int table = 0; table < roles.length; table++) {
            roles[table] = user.role(catalog.table(table).schema().name()).orElse(null);
        }
    }

    /** Why an operation on a table that exists is not the user's to do, or null. */
    Ending refusal(Message.Operation operation, Table table) {
        Role needed = needed(operation);
        Role has = roles[table.id()];
        if (has != null && has.includes(needed)) {
            return null;
        }
        return new Ending(
                ErrorCode.PERMISSION_DENIED,
                "user " + user.name() + " lacks the role " + needed.label() + " on table " + table + " (it has "
                        + Optional.ofNullable(has).map(Role::label).orElse("none")
                        + " there): have the role given in the servers' configuration");
    }

    private static Role needed(Message.Operation operation) {
        return switch (operation) {
            case Message.Get get -> get.forUpdate() ? Role.WRITE : Role.READ; // a lock keeps others from writing
            case Message.Scan scan -> scan.forUpdate() ? Role.WRITE : Role.READ;
            case Message.Put put -> Role.WRITE;
            case Message.Insert insert -> Role.WRITE;
            case Message.Delete delete -> Role.WRITE;
        };
    }
}
