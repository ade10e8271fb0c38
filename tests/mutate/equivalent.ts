/**
 * Faults that change nothing that anybody could notice, each with the reason. By the fault's name; a test holds the list to the sources, and
 * the run holds it to the truth: one that is caught after all fails it.
 */
export const equivalent: Readonly<Record<string, string>> = {
  'bank-id-12f7797':
    'Answers that are pending or complete are taken before, so that only failed ones are left; it is there for the types.',
  'patient-search-a7ac4fe':
    'A transition to a state within begins that state anew in any case, and the box as a whole has no entry.',
  'patient-search-a852bd4': 'Everything that forgets leads to "idle", which forgets what was found when it is entered.',
  'patient-search-08626ea': 'Everything that forgets leads to "idle", which forgets the failure when it is entered.',
  'import-study-e1901b8':
    'What is confirmed needs nobody any more, so that validation leads on to importing by itself.',
  'import-study-53544b4': 'Nothing has a speed but "sending", which forgets it when it is left.',
  'import-study-aec35c7': 'Listening in validation leads on to deciding when anything is decided, as waiting does.',
  'viewset-ae20bbd': 'Saving is always entered at the kind of change that is sent, never at its beginning.',
  'viewset-61fd248': 'A viewset is left only when nothing is pending any more.',
  'viewset-e30e6a8': 'Nothing is late without something pending, and a viewset is left only when nothing is.',
  'viewset-b3b8a38':
    'Before anything is sent again the truth was fetched, or all taken back: either says that nothing is late.',
};
