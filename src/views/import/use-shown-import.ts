import { useQuery } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { useTranslation } from 'react-i18next';
import type { ImportFile } from '../../../contract/imports.ts';
import {
  type ImportStudyActor,
  selectCanCancel,
  selectCanRetry,
  selectExpectedCount,
  selectFailure,
  selectFoundFiles,
  selectIsDone,
  selectIsFailed,
  selectIsInterrupted,
  selectPatientId,
  selectPercent,
  selectStep,
  selectUploadFiles,
  selectWaitsForPerson,
} from '../../machines/import-study/import-study.machine.ts';
import { mismatches, nothingImportable, type UploadFile } from '../../machines/import-study/import-study.rules.ts';
import { useFailureText } from '../language/failure-text.ts';
import { useReading } from '../reading.tsx';
import type { ShownFile } from './file-list.tsx';
import type { ShownImport } from './import-row.tsx';
import type { NamedInFiles } from './mismatch.tsx';

/** Everybody that files name wrongly, each once, with the number of files. */
export const namedIn = (files: readonly ImportFile[]): readonly NamedInFiles[] => {
  const people = new Map<string, NamedInFiles>();
  for (const { patient } of files) {
    if (!patient) continue;
    const { name, patientId: personalNumber, birthDate } = patient;
    const key = `${name}/${personalNumber}/${birthDate}`;
    people.set(key, { name, personalNumber, birthDate, files: (people.get(key)?.files ?? 0) + 1 });
  }
  return [...people.values()];
};

const statusOfUpload = ({ status }: UploadFile): ShownFile['status'] => (status === 'uploaded' ? 'received' : status);

/** An import as its row shows it. */
export const useShownImport = (actor: ImportStudyActor): ShownImport => {
  const { t } = useTranslation('import');
  const failureText = useFailureText();
  const patient = useQuery(useReading().patient(useSelector(actor, selectPatientId))).data?.mainInfo;
  const uploads = useSelector(actor, selectUploadFiles);
  const found = useSelector(actor, selectFoundFiles);
  const step = useSelector(actor, selectStep);
  const percent = useSelector(actor, selectPercent);
  const failure = useSelector(actor, selectFailure);
  const isFailed = useSelector(actor, selectIsFailed);
  const isDone = useSelector(actor, selectIsDone);
  const waits = useSelector(actor, selectWaitsForPerson);
  const interrupted = useSelector(actor, selectIsInterrupted);
  const asks = waits || interrupted;
  const expected = useSelector(actor, selectExpectedCount);

  const uploading = step === 'uploading';
  const notTaken = uploads.filter(({ status }) => uploading || found.length === 0 || status === 'refused');
  const files: readonly ShownFile[] = [
    ...notTaken.map((file) => ({
      key: file.key,
      name: file.name,
      status: statusOfUpload(file),
      reason: file.failure && failureText(file.failure),
    })),
    ...found.map((file) => ({
      key: file.id,
      name: file.fileName,
      status: file.status,
      reason: file.problem && t(`problem-${file.problem}`),
    })),
  ];
  const totalFiles = Math.max(uploads.length, files.length, uploading ? expected : 0);
  const uploaded = uploads.filter(({ status }) => status !== 'waiting').length + found.length;
  const why = () => {
    if (!isFailed) return null;
    if (failure) return failureText(failure);
    return found.length > 0 && nothingImportable(found) ? t('resultNothing') : t('resultFailed');
  };
  return {
    patient: {
      name: patient ? `${patient.firstName} ${patient.lastName}` : '…',
      personalNumber: patient?.personalNumber ?? null,
      birthDate: patient?.birthDate ?? null,
    },
    step,
    percent,
    outcome: isDone ? 'done' : isFailed ? 'failed' : asks ? 'asks' : 'running',
    files,
    totalFiles,
    filesDone: uploading ? uploaded : isDone || asks ? totalFiles : Math.round((percent / 100) * totalFiles),
    named: waits ? namedIn(mismatches(found)) : [],
    failure: why(),
    canRetry: useSelector(actor, selectCanRetry),
    canCancel: useSelector(actor, selectCanCancel),
  };
};
