import { useQueries } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { useTranslation } from 'react-i18next';
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
  selectLostFiles,
  selectName,
  selectPatientId,
  selectStep,
  selectStudies,
  selectUploadFiles,
  selectWaitsForPerson,
} from '../../machines/import-study/import-study.machine.ts';
import { nothingImportable } from '../../machines/import-study/import-study.rules.ts';
import { useFailureText } from '../language/failure-text.ts';
import { useReading } from '../reading.tsx';
import type { ShownImport } from './import-row.tsx';
import { notSentOf } from './not-sent.ts';
import type { RowMay } from './row-commands.tsx';
import { useStateWords } from './row-progress.tsx';
import { type Counts, countsOf, type Outcome, peopleOf, sameCounts } from './shown-import.ts';
import { useCalmSelector } from './use-calm-selector.ts';

export type StudySnapshot = ReturnType<ImportStudyActor['getSnapshot']>;

/** How an import stands, for a person. */
export const outcomeOf = (snapshot: StudySnapshot): Outcome => {
  if (selectIsDone(snapshot)) return 'done';
  if (selectIsFailed(snapshot)) return 'failed';
  if (selectWaitsForPerson(snapshot) || selectIsInterrupted(snapshot) || selectLacksFiles(snapshot)) return 'asks';
  return selectIsPaused(snapshot) ? 'paused' : 'running';
};

/** Done, and not with everything that was to come in. */
export const isPartly = (actor: ImportStudyActor): boolean => {
  const snapshot = actor.getSnapshot();
  if (!selectIsDone(snapshot)) return false;
  const { refused, pictureless, imported, duplicates, candidates } = counted(snapshot);
  const unreadable = notSentOf(actor).some(({ why }) => why === 'unreadable');
  return refused + pictureless > 0 || lostCount(snapshot) > 0 || unreadable || imported + duplicates < candidates;
};

const counted = (snapshot: StudySnapshot): Counts =>
  countsOf(
    selectFoundFiles(snapshot),
    selectUploadFiles(snapshot).flatMap(({ name, status }) => (status === 'refused' ? [name] : [])),
  );

const arrivedCount = (snapshot: StudySnapshot): number =>
  Math.max(
    selectFoundFiles(snapshot).length,
    selectUploadFiles(snapshot).filter(({ status }) => status === 'uploaded').length,
  );
const lostCount = (snapshot: StudySnapshot): number => selectLostFiles(snapshot).length;
const hasFiles = (snapshot: StudySnapshot): boolean =>
  selectUploadFiles(snapshot).length + selectFoundFiles(snapshot).length > 0;

/** Everything of an import's row that does not change with every file. */
export const useShownImport = (
  actor: ImportStudyActor,
  waits: boolean,
): { readonly shown: ShownImport; readonly may: RowMay; readonly counts: Counts; readonly interrupted: boolean } => {
  const { t } = useTranslation('import');
  const failureText = useFailureText();
  const chosenId = useSelector(actor, selectPatientId);
  const studies = useSelector(actor, selectStudies);
  const counts = useCalmSelector(actor, counted, sameCounts);
  const arrived = useCalmSelector(actor, arrivedCount);
  const lost = useCalmSelector(actor, lostCount);
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
  const reading = useReading();

  const people = peopleOf(studies);
  // Before its files are read, it is known for whom they were dropped.
  const asked = people.length === 0 && chosenId !== null ? [chosenId] : [];
  const [chosen] = useQueries({ queries: asked.map((id) => reading.patient(id)) });
  const patient = chosen?.data?.mainInfo;
  const chosenOnly =
    chosenId === null ? [] : [{ id: chosenId, name: patient ? `${patient.firstName} ${patient.lastName}` : '…' }];

  const notSent = notSentOf(actor);
  const unreadable = notSent.some(({ why }) => why === 'unreadable');
  const incomplete = outcome === 'done' && isPartly(actor);
  const words = useStateWords({ step, outcome, waits, incomplete });
  const why = () => {
    if (outcome !== 'failed') return null;
    if (failure) return failureText(failure);
    return found.length > 0 && nothingImportable(found) ? t('resultNothing') : t('resultFailed');
  };
  const settled = outcome === 'done' || outcome === 'failed';
  return {
    shown: {
      name: name || t('filesCount', { count: expected }),
      kind: useSelector(actor, selectKind),
      whom: people.length > 0 ? people : chosenOnly,
      outcome,
      incomplete,
      told: outcome === 'running' ? null : t('told', { name, state: words }),
      failure: why(),
      arrived,
      hasFiles: useSelector(actor, hasFiles) || notSent.length > 0,
      hasProblems: counts.refused + counts.pictureless > 0 || lost > 0 || unreadable,
    },
    may: {
      pause: canPause,
      resume: outcome === 'paused',
      retry: outcome === 'failed' && canRetry,
      cancel: canCancel && !settled && step !== 'importing',
      remove: settled || interrupted,
    },
    counts,
    interrupted,
  };
};
