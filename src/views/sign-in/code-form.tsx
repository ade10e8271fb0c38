import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SecondFactorKind } from '../../../contract/passkey-messages.ts';
import { AuthButton, AuthField, authLinkClass } from '../ui/auth-controls.tsx';
import { supportsPasskeys } from '../ui/supports-passkeys.ts';
import classes from './sign-in.module.css';

/** Length of one-time codes (RFC 6238 and text message). */
export const codeDigits = 6;

/** Returns the digits of typed or pasted text without spaces and dashes. */
export const digitsOf = (text: string): string => text.replace(/\D/g, '').slice(0, codeDigits);

interface CodeFormProps {
  /** Second factors of the account. */
  readonly factors: readonly SecondFactorKind[];
  readonly busy: boolean;
  /** Error of the last code. */
  readonly failure: string | null;
  readonly onSubmit: (code: string) => void;
  readonly onBack: () => void;
  readonly onPasskey: () => void;
}

/** Second factor: an authenticator code, submitted when complete, a passkey or a recovery code. */
export const CodeForm = ({ factors, busy, failure, onSubmit, onBack, onPasskey }: CodeFormProps) => {
  const { t } = useTranslation('sign-in');
  const hasAuthenticator = factors.includes('authenticator');
  const hasPasskey = factors.includes('passkey') && supportsPasskeys();
  const [byRecovery, setByRecovery] = useState(!hasAuthenticator);
  const [text, setText] = useState('');
  const [localError, setLocalError] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (busy || !failure) return;
    setLocalError(failure);
    setText('');
    field.current?.focus();
  }, [busy, failure]);
  const write = (entered: string) => {
    setLocalError(null);
    const code = byRecovery ? entered : digitsOf(entered);
    setText(code);
    if (!byRecovery && code.length === codeDigits && code !== text) onSubmit(code);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const code = text.trim();
    if (code === '') setLocalError(t('required'));
    else if (!byRecovery && code.length < codeDigits) setLocalError(t('codeLength'));
    else onSubmit(code);
  };
  const switchKind = () => {
    setByRecovery(!byRecovery);
    setLocalError(null);
    setText('');
    field.current?.focus();
  };
  return (
    <form className={classes.form} noValidate onSubmit={submit}>
      {hasPasskey && (
        <AuthButton busy={busy} secondary={hasAuthenticator} autoFocus={!hasAuthenticator} onClick={onPasskey}>
          {t('usePasskey')}
        </AuthButton>
      )}
      <AuthField
        ref={field}
        key={byRecovery ? 'recovery' : 'code'}
        label={byRecovery ? t('recoveryCode') : t('code')}
        help={byRecovery ? t('recoveryHelp') : t('codeHelp')}
        name={byRecovery ? 'recovery-code' : 'one-time-code'}
        inputMode={byRecovery ? 'text' : 'numeric'}
        autoComplete={byRecovery ? 'off' : 'one-time-code'}
        autoCapitalize="none"
        spellCheck={false}
        autoFocus={hasAuthenticator || !hasPasskey}
        maxLength={40}
        data-code={byRecovery ? undefined : true}
        readOnly={busy}
        value={text}
        error={localError}
        onChange={(event) => write(event.currentTarget.value)}
      />
      <AuthButton type="submit" busy={busy} secondary={hasPasskey && !hasAuthenticator}>
        {t('verify')}
      </AuthButton>
      <div className={classes.pair}>
        <button type="button" className={authLinkClass} onClick={onBack}>
          {t('back')}
        </button>
        {hasAuthenticator && (
          <button type="button" className={authLinkClass} onClick={switchKind}>
            {byRecovery ? t('useAuthenticator') : t('useRecovery')}
          </button>
        )}
      </div>
    </form>
  );
};
