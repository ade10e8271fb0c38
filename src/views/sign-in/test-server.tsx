import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { SignInMethod } from '../../../contract/sign-in.ts';
import { useReading } from '../reading.tsx';
import rows from './method-rows.module.css';

/** Says plainly that a method speaks to a test server; nothing where it does not. */
export const TestServer = ({ method }: { method: SignInMethod }) => {
  const { t } = useTranslation('sign-in');
  const methods = useQuery(useReading().welcome()).data?.methods ?? [];
  if (!methods.some((one) => one.method === method && one.test)) return null;
  return <p className={rows.test}>{t('testServer')}</p>;
};
