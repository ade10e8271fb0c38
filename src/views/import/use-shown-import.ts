import { useQueries } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { useTranslation } from 'react-i18next';
import type { WaitReason } from '../../machines/import-study/import-study.machine.ts';
import {
  type ImportStudyActor,
  selectCanCancel,
  selectCanPause,
  selectCanRetry,
  selectExpectedCount,
  selectFailure,
  selectFoundFiles,
  selectIsDone,
  selectIsFailed,
  selectIsInterrupted,
  selectIsPaused,
  selectKind,
  selectLacksFiles,
  selectLeftOut,
  selectLostFiles,
  selectName,
  selectPatientId,
  selectStep,
  selectStudies,
  selectUploadFiles,
  selectWaitsForPerson,
} from '../../machines/import-study/import-study.machine.ts';
import { nothingImportable } from '../../machines/import-study/import-study.rules.ts';
import { useAppQueries } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import type { ShownImport } from './import-row.tsx';
import type { AvailableCommands } from './row-commands.tsx';
import { useStateText } from './row-progress.tsx';
import { type Counts, countsOf, type Outcome, patientsOf, sameCounts } from './shown-import.ts';
import { useThrottledSelector } from './use-throttled.ts';

export type StudySnapshot = ReturnType<ImportStudyActor['getSnapshot']>;

/** Returns the state of an import for the user. */
export const outcomeOf = (snapshot: StudySnapshot): Outcome => {
  if (selectIsDone(snapshot)) return 'done';
  if (selectIsFailed(snapshot)) return 'failed';
  if (selectWaitsForPerson(snapshot) || selectIsInterrupted(snapshot) || selectLacksFiles(snapshot))
    return 'needs-decision';
  return selectIsPaused(snapshot) ? 'paused' : 'running';
};

const hasOwnFiles = (snapshot: StudySnapshot): boolean => selectUploadFiles(snapshot).length > 0;

/** Counts the files of an import by outcome; those that the upload refused count as rejected. */
const counted = (snapshot: StudySnapshot): Counts =>
  countsOf(
    selectFoundFiles(snapshot),
    selectUploadFiles(snapshot).flatMap(({ name, status }) => (status === 'refused' ? [name] : [])),
  );

/** Returns the number of files that the server has. */
const arrivedCount = (snapshot: StudySnapshot): number =>
  Math.max(
    selectFoundFiles(snapshot).length,
    selectUploadFiles(snapshot).filter(({ status }) => status === 'uploaded').length,
  );
const lostCount = (snapshot: StudySnapshot): number => selectLostFiles(snapshot).length;
const hasFiles = (snapshot: StudySnapshot): boolean =>
  selectUploadFiles(snapshot).length + selectFoundFiles(snapshot).length > 0;

/** Returns whether an import is done, but without some files: rejected, missing, unreadable or without a picture. */
export const isPartlyDone = (actor: ImportStudyActor): boolean => {
  const snapshot = actor.getSnapshot();
  if (!selectIsDone(snapshot)) return false;
  const { rejected, missing, pictureless, imported, duplicates, candidates } = counted(snapshot);
  const unreadable = selectLeftOut(snapshot).some(({ why }) => why === 'unreadable');
  return (
    rejected + missing + pictureless > 0 || lostCount(snapshot) > 0 || unreadable || imported + duplicates < candidates
  );
};

/** Returns the data of an import row, except what changes with every file. */
export const useShownImport = (
  actor: ImportStudyActor,
  waitReason: WaitReason | null,
): {
  readonly shown: ShownImport;
  readonly available: AvailableCommands;
  readonly counts: Counts;
  readonly interrupted: boolean;
} => {
  const { t } = useTranslation('import');
  const failureText = useFailureText();
  const chosenId = useSelector(actor, selectPatientId);
  const studies = useSelector(actor, selectStudies);
  const counts = useThrottledSelector(actor, counted, sameCounts);
  const arrived = useThrottledSelector(actor, arrivedCount);
  const lost = useThrottledSelector(actor, lostCount);
  const outcome = useSelector(actor, outcomeOf);
  const step = useSelector(actor, selectStep);
  const failure = useSelector(actor, selectFailure);
  const found = useSelector(actor, selectFoundFiles);
  const expected = useSelector(actor, selectExpectedCount);
  const name = useSelector(actor, selectName);
  const canCancel = useSelector(actor, selectCanCancel);
  const canRetry = useSelector(actor, selectCanRetry);
  const canPause = useSelector(actor, selectCanPause);
  const interrupted = useSelector(actor, selectIsInterrupted);
  const ownFiles = useSelector(actor, hasOwnFiles);
  const queries = useAppQueries();

  const patients = patientsOf(studies);
  // Before the files are parsed only the patient they were dropped for is known.
  const requestedIds = patients.length === 0 && chosenId !== null ? [chosenId] : [];
  const [chosen] = useQueries({ queries: requestedIds.map((id) => queries.patient(id)) });
  const patient = chosen?.data?.mainInfo;
  const chosenOnly =
    chosenId === null ? [] : [{ id: chosenId, name: patient ? `${patient.firstName} ${patient.lastName}` : '…' }];

  const leftOut = useSelector(actor, selectLeftOut);
  const unreadable = leftOut.some(({ why }) => why === 'unreadable');
  const incomplete = outcome === 'done' && isPartlyDone(actor);
  const stateText = useStateText({ step, outcome, waitReason, incomplete });
  const why = () => {
    if (outcome !== 'failed') return null;
    if (failure) return failureText(failure);
    return found.length > 0 && nothingImportable(found) ? t('resultNothing') : t('resultFailed');
  };
  const settled = outcome === 'done' || outcome === 'failed';
  // What was sent to the clinic and cannot be read stays in the list of all users until one discards it.
  const discards = outcome === 'failed' && canCancel && !ownFiles && found.length > 0;
  return {
    shown: {
      name: name || t('filesCount', { count: expected }),
      kind: useSelector(actor, selectKind),
      patients: patients.length > 0 ? patients : chosenOnly,
      outcome,
      incomplete,
      statusText: outcome === 'running' ? null : t('statusAnnouncement', { name, state: stateText }),
      failure: why(),
      arrived,
      hasFiles: useSelector(actor, hasFiles) || leftOut.length > 0,
      hasProblems: counts.rejected + counts.missing + counts.pictureless > 0 || lost > 0 || unreadable,
    },
    available: {
      pause: canPause,
      resume: outcome === 'paused',
      retry: outcome === 'failed' && canRetry,
      cancel: discards || (canCancel && !settled && step !== 'importing'),
      remove: (settled && !discards) || interrupted,
    },
    counts,
    interrupted,
  };
};
