package dev.rcc.bench.papers;

import dev.rcc.bench.paper.Book;
import dev.rcc.bench.paper.dslr.DslrBook;
import dev.rcc.bench.paper.rcc.RccBook;
import java.util.List;

/** All papers by name. */
public final class Books {
    private static final List<Book> ALL = List.of(RccBook.BOOK, DslrBook.BOOK);

    private Books() {}

    /** All papers. */
    public static List<Book> all() {
        return ALL;
    }

    /** The names of all papers. */
    public static List<String> names() {
        return ALL.stream().map(Book::name).toList();
    }

    /**
     * The paper with this name.
     *
     * @throws IllegalArgumentException when there is none; the message lists the names
     */
    public static Book byName(String name) {
        return ALL.stream()
                .filter(book -> book.name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("got '" + name + "', allowed: " + String.join(", ", names())));
    }
}
