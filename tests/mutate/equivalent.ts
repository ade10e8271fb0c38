/**
 * Faults that change nothing that anybody could notice, each with the reason. By the fault's name; a test holds the list to the sources, and
 * the run holds it to the truth: one that is caught after all fails it.
 */
export const equivalent: Readonly<Record<string, string>> = {};
