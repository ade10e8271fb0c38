import { useQuery } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import type { TFunction } from 'i18next';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type ImportTask, importSteps } from '../../../contract/imports.ts';
import { selectTaskId, selectUploadFiles } from '../../machines/import-study/import-study.machine.ts';
import { type ImportsActor, selectImports } from '../../machines/imports/imports.machine.ts';
import type { TrayImport } from '../../machines/imports/imports.rules.ts';
import { type OpenImportsQuery, useAppQueries } from '../app/queries-context.tsx';

const offered = new WeakMap<ImportsActor, Set<string>>();

/** Returns true the first time an import of the server is added, so that a removed row does not return. */
export const firstOffer = (tray: ImportsActor, taskId: string): boolean => {
  const offeredTasks = offered.get(tray) ?? new Set();
  offered.set(tray, offeredTasks);
  if (offeredTasks.has(taskId)) return false;
  offeredTasks.add(taskId);
  return true;
};

const { uploading, validation, done } = importSteps;

/** Ignores imports without any uploaded file, and failed ones that a user saw fail. */
const isLeft = ({ error, step, files, source }: ImportTask) =>
  (!error || source !== null) && step !== done && (step !== uploading || files.length > 0);

/** What a program or device sent has the name of its sender. */
const nameOf = ({ name, source, studies }: ImportTask, t: TFunction<'import'>): string => {
  if (source === null) return name;
  return [t('fromSource', { name: source.name }), studies[0]?.description].filter(Boolean).join(': ');
};

/** The import may need attention and is not uploaded by this browser. */
const isWaitingIn = (imports: readonly TrayImport[], { id, step }: ImportTask): boolean => {
  const one = imports.find(({ taskId, actor }) => taskId === id || selectTaskId(actor.getSnapshot()) === id);
  const waits = step === uploading || step === validation;
  return waits && one !== undefined && selectUploadFiles(one.actor.getSnapshot()).length === 0;
};

/**
 * Adds open imports of other sessions to the tray, each once: those of a patient, or the user's own in a clinic and what was sent to it. Calls
 * `onWaiting` when one of them may need attention.
 */
export const useOpenImports = (tray: ImportsActor, query: OpenImportsQuery, onWaiting: () => void): void => {
  const { t } = useTranslation('import');
  const open = useQuery(useAppQueries().importsOpen(query)).data;
  const imports = useSelector(tray, selectImports);
  const reported = useRef(new Set<string>());
  useEffect(() => {
    for (const task of open ?? []) {
      const { id: taskId, patientId, customerId, kind } = task;
      const name = nameOf(task, t);
      const found = { type: 'import.found', taskId, patientId, customerId, kind, name } as const;
      if (isLeft(task) && tray.getSnapshot().can(found) && firstOffer(tray, taskId)) tray.send(found);
    }
  }, [open, tray, t]);
  useEffect(() => {
    const waiting = (open ?? []).filter(
      (task) => isLeft(task) && !reported.current.has(task.id) && isWaitingIn(imports, task),
    );
    for (const { id } of waiting) reported.current.add(id);
    if (waiting.length > 0) onWaiting();
    // Latest callback, which changes with each render.
  }, [open, imports]);
};
