import { useQuery } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { useEffect, useRef } from 'react';
import { type ImportTask, importSteps } from '../../../contract/imports.ts';
import { selectTaskId, selectUploadFiles } from '../../machines/import-study/import-study.machine.ts';
import { type ImportsActor, selectImports } from '../../machines/imports/imports.machine.ts';
import type { TrayImport } from '../../machines/imports/imports.rules.ts';
import { type ImportsAsked, useReading } from '../reading.tsx';
import { firstOffer } from './offers.ts';

const { uploading, validation, done } = importSteps;

/** Nobody misses an import that has no file yet: it began a moment ago, or nothing of it was ever acknowledged. */
const isLeft = ({ error, step, files }: ImportTask) =>
  !error && step !== done && (step !== uploading || files.length > 0);

/** It may need a person, and it is in the tray, without any file that this browser sends. */
const isWaitingIn = (imports: readonly TrayImport[], { id, step }: ImportTask): boolean => {
  const one = imports.find(({ taskId, actor }) => taskId === id || selectTaskId(actor.getSnapshot()) === id);
  const waits = step === uploading || step === validation;
  return waits && one !== undefined && selectUploadFiles(one.actor.getSnapshot()).length === 0;
};

/**
 * Puts imports that another session left open into the tray, each once: those of a patient, or the person's own in a clinic. Says when one of
 * them may need a person, whoever found it first.
 */
export const useOpenImports = (tray: ImportsActor, asked: ImportsAsked, onWaiting: () => void): void => {
  const open = useQuery(useReading().importsOpen(asked)).data;
  const imports = useSelector(tray, selectImports);
  const told = useRef(new Set<string>());
  useEffect(() => {
    for (const task of open ?? []) {
      const { id: taskId, patientId, customerId, kind, name } = task;
      const found = { type: 'import.found', taskId, patientId, customerId, kind, name } as const;
      if (isLeft(task) && tray.getSnapshot().can(found) && firstOffer(tray, taskId)) tray.send(found);
    }
  }, [open, tray]);
  useEffect(() => {
    const waiting = (open ?? []).filter(
      (task) => isLeft(task) && !told.current.has(task.id) && isWaitingIn(imports, task),
    );
    for (const { id } of waiting) told.current.add(id);
    if (waiting.length > 0) onWaiting();
    // What `onWaiting` does is the page's own business, and changes with each drawing.
  }, [open, imports]);
};
