import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EntryButton } from '../parts/entry-button.tsx';
import { EntryField } from '../parts/entry-field.tsx';
import { codeDigits, digitsOf } from './code-digits.ts';
import classes from './sign-in.module.css';

interface CodeFormProps {
  readonly busy: boolean;
  /** What is wrong with the last code, in words. */
  readonly failure: string | null;
  readonly onSubmit: (code: string) => void;
  readonly onBack: () => void;
}

/** The second step: the code of the authenticator, sent as soon as it is whole, or one of the recovery codes. */
export const CodeForm = ({ busy, failure, onSubmit, onBack }: CodeFormProps) => {
  const { t } = useTranslation('sign-in');
  const [byRecovery, setByRecovery] = useState(false);
  const [text, setText] = useState('');
  const [refused, setRefused] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (busy || !failure) return;
    setRefused(failure);
    setText('');
    field.current?.focus();
  }, [busy, failure]);
  const write = (entered: string) => {
    setRefused(null);
    const code = byRecovery ? entered : digitsOf(entered);
    setText(code);
    if (!byRecovery && code.length === codeDigits && code !== text) onSubmit(code);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const code = text.trim();
    if (code === '') setRefused(t('required'));
    else if (!byRecovery && code.length < codeDigits) setRefused(t('codeLength'));
    else onSubmit(code);
  };
  const turn = () => {
    setByRecovery(!byRecovery);
    setRefused(null);
    setText('');
    field.current?.focus();
  };
  return (
    <form className={classes.form} noValidate onSubmit={submit}>
      <EntryField
        ref={field}
        key={byRecovery ? 'recovery' : 'code'}
        label={byRecovery ? t('recoveryCode') : t('code')}
        help={byRecovery ? t('recoveryHelp') : t('codeHelp')}
        name={byRecovery ? 'recovery-code' : 'one-time-code'}
        inputMode={byRecovery ? 'text' : 'numeric'}
        autoComplete={byRecovery ? 'off' : 'one-time-code'}
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        maxLength={40}
        data-code={byRecovery ? undefined : true}
        readOnly={busy}
        value={text}
        error={refused}
        onChange={(event) => write(event.currentTarget.value)}
      />
      <EntryButton type="submit" busy={busy}>
        {t('verify')}
      </EntryButton>
      <div className={classes.pair}>
        <button type="button" className={classes.quietLink} onClick={onBack}>
          {t('back')}
        </button>
        <button type="button" className={classes.quietLink} onClick={turn}>
          {byRecovery ? t('useAuthenticator') : t('useRecovery')}
        </button>
      </div>
    </form>
  );
};
