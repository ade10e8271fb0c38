import { useTranslation } from 'react-i18next';
import type { ImportsActor } from '../../machines/imports/imports.machine.ts';
import { useGround } from '../ground.tsx';
import { toast } from '../parts/toast.ts';

/** Puts files into the tray, for one patient. */
export const useStartImport = (tray: ImportsActor, onStarted: () => void) => {
  const { t } = useTranslation('import');
  const { holdFiles } = useGround();
  return (patientId: string, files: readonly File[]) => {
    if (files.length === 0) {
      toast({ tone: 'bad', text: t('nothingDropped'), close: t('close') });
      return;
    }
    tray.send({ type: 'files.chosen', patientId, files: holdFiles(files) });
    onStarted();
  };
};
