import { useTranslation } from 'react-i18next';

const named = ['SuperAdmin', 'CustomerAdmin', 'Doctor'] as const;

/** What people call a role; a role of the clinic's own keeps its name. */
export const useRoleName = (): ((role: string) => string) => {
  const { t } = useTranslation('roles');
  return (role) => {
    const known = named.find((name) => name === role);
    return known ? t(known) : role;
  };
};
