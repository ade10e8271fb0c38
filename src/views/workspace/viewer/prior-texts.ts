import dayjs from 'dayjs';
import { useTranslation } from 'react-i18next';
import type { PriorMatch } from '../../app/shown-content.ts';
import { useToothText } from '../../language/tooth-notation.ts';
import { ageAt } from '../../ui/age.ts';

/** Formats how much earlier a day was than another one, `YYYY-MM-DD`: years and months, days within a month. */
export const useEarlierText = () => {
  const { t } = useTranslation('viewer');
  return (day: string, than: string): string => {
    const { years, months } = ageAt(day, than) ?? { years: 0, months: 0 };
    if (years > 0 && months > 0) return t('earlierYearsMonths', { years, months });
    if (years > 0) return t('earlierYears', { years });
    if (months > 0) return t('earlierMonths', { months });
    return t('earlierDays', { count: dayjs(than).diff(dayjs(day), 'day') });
  };
};

/** Says why an earlier image was chosen. */
export const useMatchText = () => {
  const { t } = useTranslation('viewer');
  const toothText = useToothText();
  return (match: PriorMatch): string => {
    if (match.by === 'region') return t('priorByRegion');
    const teeth = toothText(match.teeth);
    if (match.by === 'teeth') return t('priorByTeeth', { count: match.teeth.length, teeth });
    return t('priorBySlot', { slot: [match.description, teeth].filter(Boolean).join(', ') });
  };
};
