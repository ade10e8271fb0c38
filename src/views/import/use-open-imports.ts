import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type ImportTask, importSteps } from '../../../contract/imports.ts';
import type { ImportsActor } from '../../machines/imports/imports.machine.ts';
import { useReading } from '../reading.tsx';
import { firstOffer } from './offers.ts';

const { uploading, validation, done } = importSteps;

/** Nobody misses an import that has no file yet: it began a moment ago, or nothing of it was ever acknowledged. */
const isLeft = ({ error, step, files }: ImportTask) =>
  !error && step !== done && (step !== uploading || files.length > 0);

/** Puts imports that another session left open into the tray, each once; says when one of them may need a person. */
export const useOpenImports = (tray: ImportsActor, patientId: string, onWaiting: () => void): void => {
  const open = useQuery(useReading().importsOpen(patientId)).data;
  useEffect(() => {
    const left = (open ?? []).filter((task) => {
      const found = { type: 'import.found', patientId, taskId: task.id } as const;
      if (!isLeft(task) || !tray.getSnapshot().can(found) || !firstOffer(tray, task.id)) return false;
      tray.send(found);
      return true;
    });
    if (left.some(({ step }) => step === uploading || step === validation)) onWaiting();
  }, [open, tray, patientId]);
};
