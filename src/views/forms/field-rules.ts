import { useTranslation } from 'react-i18next';
import { bounds, email } from '../../../contract/bounds.ts';

/** What may be typed into a field, by the bounds of the contract; each rule says in words what is wrong, or null. */
export const useFieldRules = () => {
  const { t } = useTranslation('new-patient');
  const length = (text: string, name: keyof typeof bounds): string | null => {
    const [min, max] = bounds[name];
    return text.length >= min && text.length <= max ? null : t('length', { min, max });
  };
  return {
    required:
      (name: keyof typeof bounds) =>
      (value: string): string | null => {
        const text = value.trim();
        return text === '' ? t('required') : length(text, name);
      },
    optional:
      (name: keyof typeof bounds) =>
      (value: string): string | null => {
        const text = value.trim();
        return text === '' ? null : length(text, name);
      },
    email: (value: string): string | null => {
      const text = value.trim();
      if (text === '') return t('required');
      return email.safeParse(text).success ? null : t('emailInvalid');
    },
  };
};
