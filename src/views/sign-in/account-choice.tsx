import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { InteractionOutcome } from '../../../contract/interactions.ts';
import { useRoleName } from '../language/role-name.ts';
import { IconAlert } from '../parts/icon-alert.tsx';
import rows from './method-rows.module.css';
import classes from './sign-in.module.css';

type Accounts = Extract<InteractionOutcome, { outcome: 'choose-account' }>['accounts'];

interface AccountChoiceProps {
  readonly accounts: Accounts;
  readonly busy: boolean;
  readonly failure: string | null;
  readonly onChoose: (id: string) => void;
}

/** One person, several accounts: which of them it is this time. */
export const AccountChoice = ({ accounts, busy, failure, onChoose }: AccountChoiceProps) => {
  const { t } = useTranslation('interaction');
  const roleName = useRoleName();
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <div className={classes.stack}>
      <ul className={rows.rows} aria-label={t('chooseTitle')}>
        {accounts.map(({ id, role, clinic }) => (
          <li key={id} className={rows.item}>
            <button
              type="button"
              className={rows.row}
              aria-busy={(busy && chosen === id) || undefined}
              aria-disabled={busy || undefined}
              onClick={() => {
                if (busy) return;
                setChosen(id);
                onChoose(id);
              }}
            >
              <span className={rows.words}>
                <span className={rows.name}>{clinic ?? t('noClinic')}</span>
                <span className={rows.how}>{roleName(role)}</span>
              </span>
              <svg className={rows.chevron} viewBox="0 0 20 20" aria-hidden="true">
                <path d="m8 5 5 5-5 5" />
              </svg>
            </button>
          </li>
        ))}
      </ul>
      <div aria-live="assertive">{failure && <IconAlert>{failure}</IconAlert>}</div>
    </div>
  );
};
