import { useTranslation } from 'react-i18next';
import type { DateWords } from '../parts/date-field.tsx';
import { dayProblem } from '../parts/typed-day.ts';

/** What a date field says by itself, and what a form says of a text that is no day. */
export const useDateWords = (): DateWords => {
  const { t, i18n } = useTranslation('dates');
  return {
    shape: t('shape'),
    openCalendar: t('openCalendar'),
    problem: (text) => {
      const problem = dayProblem(text);
      return problem && t(problem);
    },
    calendar: {
      // The day first, as in the other three.
      language: i18n.language === 'en' ? 'en-GB' : i18n.language,
      previous: { month: t('previousMonth'), year: t('previousYear'), decade: t('previousDecade') },
      next: { month: t('nextMonth'), year: t('nextYear'), decade: t('nextDecade') },
      chooseMonth: t('chooseMonth'),
      chooseYear: t('chooseYear'),
    },
  };
};
