import { useTranslation } from 'react-i18next';
import { ageAt } from '../parts/age.ts';

/** An age in words: months under two years, otherwise years; nothing when the birth date is not known. */
export const AgeText = ({ birthDate, day }: { birthDate: string | null; day: string }) => {
  const { t } = useTranslation('search');
  const age = ageAt(birthDate, day);
  if (!age) return null;
  return age.years < 2 ? t('months', { count: age.years * 12 + age.months }) : t('years', { count: age.years });
};
