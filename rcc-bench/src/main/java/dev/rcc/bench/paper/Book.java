package dev.rcc.bench.paper;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A paper's claims, as a value. Immutable.
 *
 * @param name the name by which users pick it, such as {@code rcc}
 * @param title the paper's title
 * @param sections the sections that claim something, in the paper's order; each number once
 */
public record Book(String name, String title, List<Section> sections) {
    /**
     * Takes a copy of the list.
     *
     * @throws IllegalArgumentException when two sections have the same number
     */
    public Book {
        sections = List.copyOf(sections);
        if (sections.stream().map(Section::number).distinct().count() < sections.size()) {
            throw new IllegalArgumentException("two sections of " + name + " have the same number");
        }
    }

    /**
     * A section of a paper.
     *
     * @param number as the paper has it, such as {@code 6.2}
     * @param title as the paper has it
     * @param claims in the paper's order
     */
    public record Section(String number, String title, List<Claim> claims) {
        /** Takes a copy of the list. */
        public Section {
            claims = List.copyOf(claims);
        }
    }

    /** The numbers of the sections. */
    public List<String> numbers() {
        return sections.stream().map(Section::number).toList();
    }

    /**
     * The book with one of its sections only.
     *
     * @throws IllegalArgumentException when there is no such section, with those that there are
     */
    public Book only(String number) {
        if (!numbers().contains(number)) {
            throw new IllegalArgumentException("got '" + number + "', allowed: one of " + String.join(", ", numbers()));
        }
        return new Book(
                name,
                title,
                sections.stream()
                        .filter(section -> section.number().equals(number))
                        .toList());
    }

    /**
     * Puts all claims to the test, in the paper's order.
     *
     * @param lab where they are
     * @param each receives each claim as soon as it is decided
     * @return what was found, in the same order
     * @throws InterruptedException when the calling thread was interrupted
     */
    public List<Claim.Finding> judge(Lab lab, Consumer<Claim.Finding> each) throws InterruptedException {
        List<Claim.Finding> findings = new ArrayList<>();
        for (Section section : sections) {
            for (Claim claim : section.claims()) {
                Claim.Finding finding = claim.judge(section.number(), lab);
                each.accept(finding);
                findings.add(finding);
            }
        }
        return findings;
    }

    /** The runs that its claims need, each once, in their order; those of which a hybrid code is chosen are not among them. */
    public List<Setup> setups() {
        return sections.stream()
                .flatMap(section -> section.claims().stream())
                .flatMap(claim -> claim.readings().stream())
                .map(Figure.Reading::setup)
                .distinct()
                .toList();
    }
}
