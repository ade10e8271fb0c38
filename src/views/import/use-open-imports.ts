import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { importSteps } from '../../../contract/imports.ts';
import type { ImportsActor } from '../../machines/imports/imports.machine.ts';
import { useReading } from '../reading.tsx';
import { firstOffer } from './offers.ts';

/**
 * Puts imports that an earlier session left open into the tray. One that is still uploading may be another person's at this
 * very moment and is left alone; so is one that has failed.
 */
export const useOpenImports = (tray: ImportsActor, patientId: string): void => {
  const open = useQuery(useReading().importsOpen(patientId)).data;
  useEffect(() => {
    for (const task of open ?? []) {
      if (task.error || task.step === importSteps.uploading || task.step === importSteps.done) continue;
      if (firstOffer(tray, task.id)) tray.send({ type: 'import.found', patientId, taskId: task.id });
    }
  }, [open, tray, patientId]);
};
