/**
 * Mutants without an observable effect, by id, each with the reason. A test checks that they exist; the run fails when one of them is killed.
 */
export const equivalent: Readonly<Record<string, string>> = {
  'bank-id-12f7797':
    'Pending and complete replies are handled before, so only failed ones are left; the guard is needed for the types.',
  'patient-search-a7ac4fe':
    'A transition to a child state re-enters that state in any case, and the root has no entry action.',
  'patient-search-26a9eb1': 'Every transition with this action leads to "idle", whose entry action clears the hits.',
  'patient-search-d387b8c': 'Every transition with this action leads to "idle", whose entry action clears the failure.',
  'import-study-e1901b8': 'A confirmed import needs no decision, so validation continues to importing by itself.',
  'import-study-53544b4': 'Only "sending" has a speed, and clears it on exit.',
  'import-study-aec35c7': 'Listening in validation continues to deciding when there is a decision, as waiting does.',
  'viewset-742fac5': 'Saving is always entered at a child state, never at its initial state.',
  'viewset-ccf51cc': 'A viewset is left only when nothing is pending.',
  'viewset-f28aea9': 'A viewset is delayed only while operations are pending, and closes only when none are.',
  'viewset-89081be':
    'Before operations are sent again, the viewset is fetched or all are rolled back: both reset the delay.',
};
