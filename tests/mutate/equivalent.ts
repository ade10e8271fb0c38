/**
 * Faults that change nothing that anybody could notice, each with the reason. By the fault's name; a test holds the list to the sources, and
 * the run holds it to the truth: one that is caught after all fails it.
 */
export const equivalent: Readonly<Record<string, string>> = {
  'patient-search-a7ac4fe':
    'A transition to a state within begins that state anew in any case, and the box as a whole has no entry.',
  'patient-search-a852bd4': 'Everything that forgets leads to "idle", which forgets what was found when it is entered.',
  'patient-search-08626ea': 'Everything that forgets leads to "idle", which forgets the failure when it is entered.',
};
