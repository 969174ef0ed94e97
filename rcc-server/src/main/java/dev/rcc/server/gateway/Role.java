package dev.rcc.server.gateway;

/** The role of a user on a table. Each role includes the permissions of the roles before it. */
public enum Role {
    /** Reads its records. */
    READ("read"),
    /** Also changes its records, and locks them for that. */
    WRITE("write"),
    /** Also sees how full it is; on all tables, sees the connected clients, and ends connections. */
    ADMIN("admin");

    private final String label;

    Role(String label) {
        this.label = label;
    }

    /** The name of the role in configurations. */
    public String label() {
        return label;
    }

    /** Whether this role includes the permissions of {@code needed}. */
    public boolean includes(Role needed) {
        return compareTo(needed) >= 0;
    }
}
