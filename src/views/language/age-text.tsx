import { useTranslation } from 'react-i18next';
import { ageAt } from '../ui/dates.ts';

/** Formats an age: months under two years, otherwise years; null when the birth date is unknown. */
export const useAgeText = () => {
  const { t } = useTranslation('search');
  return (birthDate: string | null, day: string): string | null => {
    const age = ageAt(birthDate, day);
    if (!age) return null;
    return age.years < 2 ? t('months', { count: age.years * 12 + age.months }) : t('years', { count: age.years });
  };
};

export const AgeText = ({ birthDate, day }: { birthDate: string | null; day: string }) => useAgeText()(birthDate, day);
