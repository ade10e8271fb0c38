import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Redirect } from 'wouter';
import { toast } from '../parts/toast.ts';

/** There are no patients without a clinic: says so, and leads to the clinics. */
export const ChooseClinic = () => {
  const { t } = useTranslation(['search', 'shell']);
  useEffect(() => toast({ tone: 'plain', text: t('chooseClinic'), close: t('shell:close') }), [t]);
  return <Redirect to="/customers" replace />;
};
