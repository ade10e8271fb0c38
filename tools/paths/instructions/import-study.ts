import { type ImportTask, importSteps } from '../../../contract/imports.ts';
import type { ImportStudyEvent } from '../../../src/machines/import-study/import-study.machine.ts';
import { reported, restored } from './connection.ts';
import {
  automatic,
  blocked,
  byHand,
  type EventInstructions,
  follows,
  type Instruction,
  label,
  type MachineInstructions,
  offline,
  onlyAutomated,
  rejected,
  withDeveloperTools,
  withProxy,
} from './instruction.ts';

const begin = '*/resource/ImageImport';
const parse = '*/resource/ImageImport/dicom/parse*';
const confirm = '*/resource/ImageImport/dicom/import*';
const task = '*/resource/ImageImport/*';

/** Two windows work on one import: the second one has already moved it on. */
const otherWindow = byHand(
  'Before the previous step: open the same import in another browser, as the same user, and continue it there first.',
);

const isTemporary = (problem: string | null): boolean => problem === 'storage-failed' || problem === 'took-too-long';

/** What the tester prepares so that the archive replies with this status. */
const fetched = ({ step, error, files, studies }: ImportTask): Instruction => {
  if (error || files.some(({ problem }) => isTemporary(problem)))
    return withProxy(`Let the proxy change the reply to GET ${task} as in the data.`);
  if (step !== importSteps.validation && step !== importSteps.done)
    return follows('the archive reports the step at which it is. Import many files to see this step.');
  const prepared = [
    ...(files.some(({ status }) => status === 'refused')
      ? ['add a DICOM file that is cut short, for example with head -c 1000 image.dcm > cut.dcm']
      : []),
    ...(studies.some(({ match }) => match === 'differs') ? ['choose files of another patient'] : []),
    ...(studies.some(({ match }) => match === 'unknown') ? ['choose files for the clinic, without a patient'] : []),
  ];
  return prepared.length > 0
    ? byHand(`Before the import: ${prepared.join(', and ')}.`)
    : follows('the archive replies for files of the chosen patient.');
};

export const importStudy = {
  events: {
    'upload.progressed': ({ changes }) =>
      changes.some(({ status }) => status === 'lost')
        ? withDeveloperTools(
            'During the upload: on the tab "Application", clear the object store "bytes" in the IndexedDB of the program, then reload the page.',
          )
        : changes.some(({ status }) => status === 'refused')
          ? byHand('Before the import: add a file that is larger than the upload limit of the archive.')
          : follows('the files are uploaded.'),
    'upload.waited': withDeveloperTools('During the upload: on the tab "Network", choose "Offline".'),
    'upload.continued': withDeveloperTools('On the tab "Network", choose "No throttling".'),
    'upload.finished': follows('the last file has been uploaded.'),
    'upload.broken': ({ failure }) => {
      if (failure.kind !== 'refused')
        return withDeveloperTools(
          'Before the previous step: block */resource/ImageImport/* under "Network request blocking".',
        );
      return failure.code === 'no-right'
        ? byHand(
            'During the upload: in another browser, let an administrator remove the right to import from the role of this user.',
          )
        : byHand(
            `During the upload: open the patient in another browser, as the same user, and press ${label('import:importArrived')}.`,
          );
    },
    'upload.paused': byHand(`Press ${label('import:pause')} on the row of the import.`),
    'upload.resumed': byHand(`Press ${label('import:continue')} on the row of the import.`),
    'preparing.reported': reported,
    'progress.reported': ({ taskId }) =>
      taskId === 'another' ? byHand('In another browser, start an import in the same clinic.') : reported,
    'outcome.reported': follows('the archive reports it when the step is complete.'),
    'connection.restored': restored,
    'task.fetched': follows('the status has been fetched.'),
    'import.resumed': byHand(
      `Press ${label('import:importArrived')}, or ${label('import:onlyArrived')} when files are missing.`,
    ),
    'files.added': ({ files }) =>
      byHand(
        files.length === 0
          ? `Press ${label('import:chooseFiles')} and choose only files that are not missing.`
          : `Press ${label('import:addFiles')} or ${label('import:chooseFiles')} and choose the missing files.`,
      ),
    'study.decided': byHand(
      `Decide about the study, for example press ${label('import-decide:confirm')} or ${label('import-decide:changePatient')}.`,
    ),
    'import.confirmed': byHand(`Press ${label('import:importStudies_one')} on the row of the import.`),
    'import.retried': byHand(`Press ${label('import:retry')} on the row of the import.`),
    'import.cancelled': byHand(
      `Press ${label('import:cancel')} on the row of the import and confirm with ${label('import:cancel')}.`,
    ),
  } satisfies EventInstructions<ImportStudyEvent>,
  replies: {
    'beginImport done': automatic,
    'beginImport offline': offline,
    'beginImport no-right': rejected(begin, 'no-right'),
    'parseImport done': automatic,
    'parseImport import-wrong-step': otherWindow,
    'parseImport offline': blocked(parse),
    'parseImport no-right': rejected(parse, 'no-right'),
    'decideStudies done': byHand(
      'If the reply contains a failure: before the previous step, decide about the same study in another browser. Otherwise do nothing.',
    ),
    'decideStudies offline': onlyAutomated('A decision that cannot be sent arrives as a reply with a failure.'),
    'confirmImport done': automatic,
    'confirmImport import-wrong-step': otherWindow,
    'confirmImport offline': blocked(confirm),
    'confirmImport mismatch-not-confirmed': byHand(
      `Before the previous step: in another browser, press ${label('import-decide:withdraw')} for a study of this import.`,
    ),
    'retryImport done': automatic,
    'retryImport offline': blocked('*/resource/ImageImport/retry'),
    'withdrawImport done': automatic,
    'withdrawImport import-wrong-step': otherWindow,
    'fetchImport done': fetched,
    'fetchImport offline': blocked(task),
    'fetchImport not-signed-in': rejected(task, 'not-signed-in'),
  },
  delays: {
    quietDelay: withDeveloperTools(
      'Before the sign-in: block */resource/importImageHub* under "Network request blocking", so that no hub event arrives.',
    ),
  },
} satisfies MachineInstructions;
