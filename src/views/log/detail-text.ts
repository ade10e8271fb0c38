import { useTranslation } from 'react-i18next';
import { problemCode } from '../../../contract/problem.ts';
import { signInMethod } from '../../../contract/sign-in.ts';

/** The detail of an entry in words: a method of signing in, why it was refused, the kind of a file; else as it stands. */
export const useDetailText = (): ((detail: string | null) => string) => {
  const { t } = useTranslation(['log', 'failure']);
  return (detail) => {
    if (detail === null) return '';
    const method = signInMethod.safeParse(detail).data;
    if (method) return t(`method-${method}`);
    const code = problemCode.safeParse(detail).data;
    if (code) return t(`failure:${code}`);
    return detail === 'csv' || detail === 'pdf' ? detail.toUpperCase() : detail;
  };
};
