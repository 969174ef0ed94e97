package dev.rcc.server.gateway;

/** What a user may do with a table. Each role may do what those before it may. */
public enum Role {
    /** Read its records. */
    READ("read"),
    /** Change them too, and lock them for that. */
    WRITE("write"),
    /** See how full it is; on all tables, see who is connected, and end connections. */
    ADMIN("admin");

    private final String label;

    Role(String label) {
        this.label = label;
    }

    /** The name by which it is given. */
    public String label() {
        return label;
    }

    /** Whether a user with this role may do what takes {@code needed}. */
    public boolean includes(Role needed) {
        return compareTo(needed) >= 0;
    }
}
