package dev.rcc.bench.paper;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Judges books in worlds that tests make up. */
public final class Judging {
    private Judging() {}

    /** The findings with one seed, in a world in which {@code world} gives the measurement of each run. */
    public static List<Claim.Finding> judge(Book book, Lab.Experiment world) throws InterruptedException {
        return book.judge(Evidence.of(book, labs(book, 1, world), Optional.empty()));
    }

    /** The measurements of one lab. */
    static Evidence evidence(Lab lab) {
        return new Evidence(Settings.TEXT, List.of(lab), Map.of(), Optional.empty());
    }

    /** All runs of a book, with some seeds from 42 on. */
    static Map<Condition, Lab> labs(Book book, int seeds, Lab.Experiment world) throws InterruptedException {
        Map<Condition, Lab> labs = new LinkedHashMap<>();
        for (Condition condition : Condition.of(book, 42, seeds)) {
            labs.put(condition, book.run(condition, world));
        }
        return labs;
    }
}
