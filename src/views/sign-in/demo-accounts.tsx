import { useTranslation } from 'react-i18next';
import { useRoleName } from '../language/role-name.ts';
import type { Credentials } from './password-form.tsx';
import classes from './sign-in.module.css';

export interface DemoAccount {
  readonly email: string;
  readonly password: string;
  readonly role: string;
  readonly clinic: string | null;
}

/** Accounts of the demo clinic; a click fills the form. */
export const DemoAccounts = ({
  accounts,
  onChoose,
}: {
  accounts: readonly DemoAccount[];
  onChoose: (credentials: Credentials) => void;
}) => {
  const { t } = useTranslation('sign-in');
  const roleName = useRoleName();
  if (accounts.length === 0) return null;
  // One account of each role and clinic is enough.
  const shown = accounts.filter(
    ({ role, clinic }, index) =>
      accounts.findIndex((other) => other.role === role && other.clinic === clinic) === index,
  );
  return (
    <section className={classes.demo} aria-label={t('demoTitle')}>
      <h2 className={classes.demoTitle}>{t('demoTitle')}</h2>
      <ul>
        {shown.map((account) => (
          <li key={account.email}>
            <button
              type="button"
              className={classes.demoAccount}
              title={t('demoFill', { email: account.email })}
              onClick={() => onChoose({ email: account.email, password: account.password })}
            >
              <span>{roleName(account.role)}</span>
              {account.clinic && <span className={classes.demoClinic}>{account.clinic}</span>}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
};
