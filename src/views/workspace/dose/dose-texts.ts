import { useTranslation } from 'react-i18next';

const units = {
  tubeVoltageKv: 'kV',
  tubeCurrentMa: 'mA',
  exposureTimeMs: 'ms',
  areaDoseMgyCm2: 'mGy·cm²',
  entranceDoseMgy: 'mGy',
  exposureIndex: '',
  targetExposureIndex: '',
  deviationIndex: '',
} as const;

export type ExposureField = keyof typeof units;
export const exposureFields = Object.keys(units) as ExposureField[];

/** Returns the text of a stated value with its unit, or that it is not stated. */
export const useExposureText = () => {
  const { t, i18n } = useTranslation('dose');
  const format = new Intl.NumberFormat(i18n.language, { maximumSignificantDigits: 6, useGrouping: false });
  return (field: ExposureField, value: number | null): string =>
    value === null ? t('notStated') : `${format.format(value)}\u00a0${units[field]}`.trim();
};
