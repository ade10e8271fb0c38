import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EntryButton } from '../parts/entry-button.tsx';
import { EntryField } from '../parts/entry-field.tsx';
import { codeDigits, digitsOf } from './code-digits.ts';
import classes from './sign-in.module.css';
import { useCountdown } from './use-countdown.ts';

interface SmsCodeFormProps {
  readonly busy: boolean;
  readonly failure: string | null;
  /** When another code may be asked for, in milliseconds of the epoch. */
  readonly againAt: number;
  /** This is not the first code. */
  readonly sentAgain: boolean;
  readonly onSubmit: (code: string) => void;
  readonly onAgain: () => void;
}

/** The code of the text message, sent as soon as it is whole. */
export const SmsCodeForm = ({ busy, failure, againAt, sentAgain, onSubmit, onAgain }: SmsCodeFormProps) => {
  const { t } = useTranslation(['interaction', 'sign-in']);
  const [code, setCode] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const seconds = useCountdown(againAt);
  useEffect(() => {
    if (busy || !failure) return;
    setWrong(failure);
    setCode('');
    field.current?.focus();
  }, [busy, failure]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (code.length < codeDigits) setWrong(t('sign-in:codeLength'));
    else onSubmit(code);
  };
  return (
    <form className={classes.form} noValidate onSubmit={submit}>
      <EntryField
        ref={field}
        label={t('smsCode')}
        name="one-time-code"
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        data-code
        readOnly={busy}
        value={code}
        error={wrong}
        onChange={(event) => {
          const next = digitsOf(event.currentTarget.value);
          setWrong(null);
          setCode(next);
          if (next.length === codeDigits && next !== code) onSubmit(next);
        }}
      />
      <EntryButton type="submit" busy={busy}>
        {t('sign-in:verify')}
      </EntryButton>
      {seconds > 0 ? (
        <p className={classes.quiet}>{t('smsAgainIn', { seconds })}</p>
      ) : (
        <button type="button" className={classes.quietLink} onClick={() => !busy && onAgain()}>
          {t('smsAgain')}
        </button>
      )}
      <p role="status" className={classes.quiet}>
        {sentAgain && seconds > 0 && !wrong ? t('smsSentAgain') : ''}
      </p>
    </form>
  );
};
