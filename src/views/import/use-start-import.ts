import { useTranslation } from 'react-i18next';
import { useGround } from '../ground.tsx';
import { toast } from '../parts/toast.ts';

/** Puts files into the tray, for one patient. */
export const useStartImport = (onStarted: () => void) => {
  const { t } = useTranslation('import');
  const { importFiles } = useGround();
  return (patientId: string, files: readonly File[]) => {
    if (files.length === 0) {
      toast({ tone: 'bad', text: t('nothingDropped'), close: t('close') });
      return;
    }
    importFiles(patientId, files);
    onStarted();
  };
};
