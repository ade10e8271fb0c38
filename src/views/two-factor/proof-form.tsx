import { Button, PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CurrentUser } from '../../../contract/account.ts';
import { usePasskeys } from '../app/loaded-services.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import { supportsPasskeys } from '../ui/supports-passkeys.ts';
import { usePasskeyFailureText } from './passkey-failure-text.ts';
import classes from './two-factor.module.css';

interface ProofFormProps {
  readonly user: Pick<CurrentUser, 'twoFactorEnabled' | 'hasAuthenticator' | 'passkeys'>;
  readonly onProved: () => void;
  readonly onCancel: () => void;
}

/** Asks users again who they are: for the password, or with two factors for a code or a passkey. */
export const ProofForm = ({ user, onProved, onCancel }: ProofFormProps) => {
  const { t } = useTranslation(['two-factor', 'shell', 'sign-in']);
  const failureText = usePasskeyFailureText();
  const passkeys = usePasskeys();
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const asksCode = user.twoFactorEnabled;
  const byPasskey = user.passkeys > 0 && supportsPasskeys();
  const prove = async (proof: () => Promise<unknown>) => {
    setBusy(true);
    setError(null);
    try {
      await proof();
      onProved();
    } catch (failed) {
      setBusy(false);
      setError(failureText(failed));
      field.current?.select();
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '') {
      setError(t(asksCode ? 'codeNeeded' : 'passwordNeeded'));
      field.current?.focus();
    } else void prove(() => (asksCode ? passkeys.proveByCode(text.trim()) : passkeys.proveByPassword(text)));
  };
  const input = {
    ref: field,
    'data-autofocus': byPasskey ? undefined : true,
    value: text,
    onChange: (event: { currentTarget: HTMLInputElement }) => setText(event.currentTarget.value),
  };
  return (
    <form className={classes.step} noValidate onSubmit={submit}>
      <p>{t('proofText')}</p>
      {byPasskey && (
        <Button data-autofocus disabled={busy} onClick={() => void prove(passkeys.proveByPasskey)}>
          {t('usePasskey')}
        </Button>
      )}
      {asksCode ? (
        <TextInput
          label={t(user.hasAuthenticator ? 'codeOrRecovery' : 'recoveryCode')}
          autoComplete="one-time-code"
          spellCheck={false}
          maxLength={40}
          {...input}
        />
      ) : (
        <PasswordInput
          label={t('password')}
          autoComplete="current-password"
          maxLength={100}
          visibilityToggleButtonProps={{ 'aria-label': t('sign-in:showPassword') }}
          {...input}
        />
      )}
      <div aria-live="assertive">{error && <IconAlert>{error}</IconAlert>}</div>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onCancel}>
          {t('shell:cancel')}
        </Button>
        <Button type="submit" variant={byPasskey ? 'default' : 'filled'} loading={busy}>
          {t('confirm')}
        </Button>
      </div>
    </form>
  );
};
