package dev.rcc.bench.paper;

import java.util.List;
import java.util.Optional;

/**
 * A paper's claims, as a value. Immutable.
 *
 * @param name the name by which users pick it, such as {@code rcc}
 * @param title the paper's title
 * @param sections the sections that claim something, in the paper's order; each number once
 * @param settings the settings with which its claims are tested, those of the text first
 * @param assumptions ends of the ranges of costs that have no source
 * @param logs the authors' published figures of a setup's run; empty if they have published none
 */
public record Book(
        String name,
        String title,
        List<Section> sections,
        List<Settings> settings,
        List<Assumption> assumptions,
        Optional<Lab.Experiment> logs) {
    /**
     * Takes copies of the lists.
     *
     * @throws IllegalArgumentException when two sections have the same number, or there are no settings
     */
    public Book {
        sections = List.copyOf(sections);
        settings = List.copyOf(settings);
        assumptions = List.copyOf(assumptions);
        if (settings.isEmpty()) {
            throw new IllegalArgumentException("the claims of " + name + " are put to the test with no settings");
        }
        if (sections.stream().map(Section::number).distinct().count() < sections.size()) {
            throw new IllegalArgumentException("two sections of " + name + " have the same number");
        }
    }

    /** With the settings of the text, no assumptions, and no figures of the authors. */
    public static Book of(String name, String title, List<Section> sections) {
        return new Book(name, title, sections, List.of(Settings.TEXT), List.of(), Optional.empty());
    }

    /**
     * A section of a paper.
     *
     * @param number the number in the paper, such as {@code 6.2}
     * @param title the title in the paper
     * @param claims the claims in the paper's order
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
     * @throws IllegalArgumentException when there is no such section; the message lists the sections
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
                        .toList(),
                settings,
                assumptions,
                logs);
    }

    /** The book without its assumptions: with the costs of its profiles only. */
    public Book withoutAssumptions() {
        return new Book(name, title, sections, settings, List.of(), logs);
    }

    /** Judges all claims by the measurements, in the paper's order. */
    public List<Claim.Finding> judge(List<Evidence> evidence) {
        return sections.stream()
                .flatMap(section -> section.claims().stream().map(claim -> claim.judge(section.number(), evidence)))
                .toList();
    }

    /**
     * Makes all runs of the book under a condition.
     *
     * @throws InterruptedException when the calling thread was interrupted
     */
    public Lab run(Condition condition, Lab.Experiment experiment) throws InterruptedException {
        return labOf(setup -> experiment.run(condition.change(setup)));
    }

    /**
     * The authors' published figures of all runs; empty if they have published none.
     *
     * @throws InterruptedException when the calling thread was interrupted
     */
    public Optional<Lab> published() throws InterruptedException {
        return logs.isEmpty() ? Optional.empty() : Optional.of(labOf(logs.get()));
    }

    /** A lab that has made all runs. */
    private Lab labOf(Lab.Experiment experiment) throws InterruptedException {
        Lab lab = new Lab(experiment);
        for (Setup setup : setups()) {
            lab.run(setup);
        }
        return lab;
    }

    /** The runs that its claims need, each once, in their order; without the runs by which a hybrid code is chosen. */
    public List<Setup> setups() {
        return sections.stream()
                .flatMap(section -> section.claims().stream())
                .flatMap(claim -> claim.readings().stream())
                .map(Figure.Reading::setup)
                .distinct()
                .toList();
    }
}
