import type { ImportsEvent } from '../../../src/machines/imports/imports.machine.ts';
import { restored } from './connection.ts';
import {
  byHand,
  type EventInstructions,
  follows,
  label,
  type MachineInstructions,
  onlyAutomated,
} from './instruction.ts';

export const imports = {
  events: {
    'imports.chosen': byHand(
      `On the page of a patient, drop DICOM files or pictures (JPEG, PNG, TIFF, HEIC), or press ${label('import:chooseFiles')} on the page ${label('shell:import')}.`,
    ),
    'import.found': byHand(
      'Before the sign-in: start an import of many files for a patient in another browser, as the same user, and close that browser during the upload. Then open the page of the patient here.',
    ),
    'tray.restored': follows('the stored imports have been read.'),
    'import.removed': byHand(`Press ${label('import:remove')} on the row of the import.`),
    'settled.cleared': onlyAutomated(`${label('import:clearFinished')} removes the finished imports one by one.`),
    'hub-event.received': ({ hubEvent }) =>
      byHand(
        hubEvent.name === 'ViewsetChanged'
          ? 'In another browser, move an image in a mount of the same clinic.'
          : 'Do nothing: the archive reports the progress of a running import.',
      ),
    'connection.restored': restored,
  } satisfies EventInstructions<ImportsEvent>,
  replies: {
    'restoreTray done': (stored: readonly unknown[]) =>
      byHand(
        stored.length > 0
          ? 'Start an import of many files and reload the page during the upload.'
          : 'Sign in without a running import and reload the page.',
      ),
    'restoreTray offline': onlyAutomated(
      'The stored imports are read from the IndexedDB of the browser, which does not fail on request.',
    ),
  },
  delays: {
    restoreTimeout: onlyAutomated('The IndexedDB of the browser always replies in time.'),
  },
} satisfies MachineInstructions;
