import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAppContext } from '../app/app-context.tsx';
import { defaultLanguage, type Language, languageOf } from '../language/languages.ts';
import { AuthButton, AuthField } from '../ui/auth-controls.tsx';
import { codeDigits, digitsOf } from './code-form.tsx';
import { EmailForm } from './email-form.tsx';
import { InteractionFrame, TestServer } from './interaction-frame.tsx';
import classes from './sign-in.module.css';
import { useInteraction } from './use-interaction.ts';

/** Returns whole seconds until a time (milliseconds since 1970), down to 0. */
const useCountdown = (until: number | null): number => {
  const left = () => (until === null ? 0 : Math.max(0, Math.ceil((until - Date.now()) / 1000)));
  const [, setTick] = useState(0);
  const seconds = left();
  useEffect(() => {
    if (seconds === 0) return;
    const timer = setTimeout(() => setTick((tick) => tick + 1), 250);
    return () => clearTimeout(timer);
  });
  return seconds;
};

interface SmsCodeFormProps {
  readonly busy: boolean;
  readonly failure: string | null;
  /** When another code can be requested, in milliseconds since 1970. */
  readonly againAt: number;
  /** A code was sent before. */
  readonly sentAgain: boolean;
  readonly onSubmit: (code: string) => void;
  readonly onAgain: () => void;
}

/** Form for the text message code, submitted when complete. */
const SmsCodeForm = ({ busy, failure, againAt, sentAgain, onSubmit, onAgain }: SmsCodeFormProps) => {
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
      <AuthField
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
      <AuthButton type="submit" busy={busy}>
        {t('sign-in:verify')}
      </AuthButton>
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

interface SentCode {
  readonly email: string;
  readonly goodForMinutes: number;
  /** When another code can be requested, in milliseconds since 1970. */
  readonly againAt: number;
  /** Number of codes requested so far. */
  readonly count: number;
}

/** Sign-in by text message: e-mail address, then the code. */
export const SmsPage = ({ uid, onLanguage }: { uid: string; onLanguage: (language: Language) => void }) => {
  const { t, i18n } = useTranslation('interaction');
  const { signIn } = useAppContext();
  const interaction = useInteraction(uid);
  const { busy, failure } = interaction;
  const [sent, setSent] = useState<SentCode | null>(null);
  const request = (email: string) =>
    interaction.during(async () => {
      const language = languageOf(i18n.language) ?? defaultLanguage;
      const { goodForSeconds, againInSeconds } = await signIn.requestSms(uid, email, language);
      setSent((earlier) => ({
        email,
        goodForMinutes: Math.max(1, Math.round(goodForSeconds / 60)),
        againAt: Date.now() + againInSeconds * 1000,
        count: (earlier?.count ?? 0) + 1,
      }));
    });
  const otherWays = (
    <button type="button" className={classes.quietLink} onClick={interaction.chooseAnother}>
      {t('otherWays')}
    </button>
  );
  if (!sent)
    return (
      <InteractionFrame
        interaction={interaction}
        title={t('smsTitle')}
        lead={t('smsLead')}
        step="sms"
        onLanguage={onLanguage}
      >
        <TestServer method="sms" />
        <EmailForm busy={busy} failure={failure} label={t('smsSend')} onSubmit={(email) => void request(email)} />
        {otherWays}
      </InteractionFrame>
    );
  return (
    <InteractionFrame
      interaction={interaction}
      title={t('smsCodeTitle')}
      lead={t('smsCodeLead', { minutes: sent.goodForMinutes })}
      step="sms-code"
      onLanguage={onLanguage}
    >
      <TestServer method="sms" />
      <SmsCodeForm
        busy={busy}
        failure={failure}
        againAt={sent.againAt}
        sentAgain={sent.count > 1}
        onSubmit={(code) => interaction.attempt(() => signIn.verifySms(uid, code))}
        onAgain={() => void request(sent.email)}
      />
      <div className={classes.pair}>
        <button type="button" className={classes.quietLink} onClick={() => setSent(null)}>
          {t('smsOther')}
        </button>
        {otherWays}
      </div>
    </InteractionFrame>
  );
};
