import { useTranslation } from 'react-i18next';
import { dayProblem } from '../ui/typed-day.ts';

/** Returns a function that explains why a text is not a date; null when it is one or empty. */
export const useDateProblem = (): ((text: string) => string | null) => {
  const { t } = useTranslation('dates');
  return (text) => {
    const problem = dayProblem(text);
    return problem && t(problem);
  };
};
