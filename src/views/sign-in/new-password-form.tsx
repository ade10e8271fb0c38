import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bounds } from '../../../contract/bounds.ts';
import { PasswordRuleList } from '../forms/password-rule-list.tsx';
import { unmetRules } from '../forms/password-rules.ts';
import { EntryButton } from '../parts/entry-button.tsx';
import { EntryPassword } from '../parts/entry-field.tsx';
import { IconAlert } from '../parts/icon-alert.tsx';
import classes from './sign-in.module.css';

const [, max] = bounds.password;

interface NewPasswordFormProps {
  readonly busy: boolean;
  readonly failure: string | null;
  readonly onSubmit: (password: string) => void;
}

/** The new password, twice; its rules tick themselves off while it is written. */
export const NewPasswordForm = ({ busy, failure, onSubmit }: NewPasswordFormProps) => {
  const { t } = useTranslation(['password', 'reset-password', 'sign-in']);
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const unmet = unmetRules(password);
  const lacking = password === '' ? t('sign-in:required') : unmet.size > 0 ? t('notGoodYet') : null;
  const differing = again === '' ? t('sign-in:required') : again === password ? null : t('differ');
  // Two entries that already part are told before the person has tried.
  const isParting = again !== '' && !password.startsWith(again);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setTried(true);
    if (lacking === null && differing === null) onSubmit(password);
    else form.current?.querySelector<HTMLInputElement>(`input[name="${lacking ? 'password' : 'again'}"]`)?.focus();
  };
  return (
    <form className={classes.form} ref={form} noValidate onSubmit={submit}>
      <EntryPassword
        label={t('newPassword')}
        showLabel={t('sign-in:showPassword')}
        name="password"
        autoComplete="new-password"
        autoFocus
        maxLength={max}
        value={password}
        error={tried ? lacking : null}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <PasswordRuleList password={password} />
      <EntryPassword
        label={t('repeat')}
        showLabel={t('sign-in:showPassword')}
        name="again"
        autoComplete="new-password"
        maxLength={max}
        value={again}
        error={tried ? differing : isParting ? t('differ') : null}
        onChange={(event) => setAgain(event.currentTarget.value)}
      />
      <div aria-live="assertive">{failure && <IconAlert>{failure}</IconAlert>}</div>
      <EntryButton type="submit" busy={busy}>
        {t('reset-password:save')}
      </EntryButton>
    </form>
  );
};
