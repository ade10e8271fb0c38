import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type ImportTask, importSteps } from '../../../contract/imports.ts';
import type { ImportsActor } from '../../machines/imports/imports.machine.ts';
import { type ImportsAsked, useReading } from '../reading.tsx';
import { firstOffer } from './offers.ts';

const { uploading, validation, done } = importSteps;

/** Nobody misses an import that has no file yet: it began a moment ago, or nothing of it was ever acknowledged. */
const isLeft = ({ error, step, files }: ImportTask) =>
  !error && step !== done && (step !== uploading || files.length > 0);

/**
 * Puts imports that another session left open into the tray, each once: those of a patient, or the person's own in a clinic. Says when one of
 * them may need a person.
 */
export const useOpenImports = (tray: ImportsActor, asked: ImportsAsked, onWaiting: () => void): void => {
  const open = useQuery(useReading().importsOpen(asked)).data;
  useEffect(() => {
    const left = (open ?? []).filter((task) => {
      const { id: taskId, patientId, customerId, kind, name } = task;
      const found = { type: 'import.found', taskId, patientId, customerId, kind, name } as const;
      if (!isLeft(task) || !tray.getSnapshot().can(found) || !firstOffer(tray, taskId)) return false;
      tray.send(found);
      return true;
    });
    if (left.some(({ step }) => step === uploading || step === validation)) onWaiting();
  }, [open, tray]);
};
