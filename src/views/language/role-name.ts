import { useTranslation } from 'react-i18next';
import { roleNames } from '../../../contract/claims.ts';

/** Returns the translated name of a built-in role; clinic roles keep their name. */
export const useRoleName = (): ((role: string) => string) => {
  const { t } = useTranslation('roles');
  return (role) => {
    const known = roleNames.find((name) => name === role);
    return known ? t(known) : role;
  };
};
