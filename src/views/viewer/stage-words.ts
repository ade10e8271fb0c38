import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { StageWords } from '../../viewer/index.ts';

/** The words that a stage writes beside measurements. */
export const useStageWords = (): StageWords => {
  const { t } = useTranslation('viewer');
  return useMemo(
    () => ({
      mm: t('unitMm'),
      px: t('unitPx'),
      calibrated: t('honesty-calibrated'),
      atDetector: t('honesty-detector'),
      notCalibrated: t('honesty-none'),
      length: t('tool-length'),
      angle: t('tool-angle'),
      calibration: t('tool-calibrate'),
      measurements: t('measurements'),
    }),
    [t],
  );
};
