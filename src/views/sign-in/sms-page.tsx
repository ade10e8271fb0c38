import { useSelector } from '@xstate/react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type InteractionActor, selectSentSms } from '../../machines/interaction/interaction.machine.ts';
import { defaultLanguage, type Language, languageOf } from '../language/languages.ts';
import { AuthButton, AuthField, authLinkClass } from '../ui/auth-controls.tsx';
import { codeDigits, digitsOf } from './code-form.tsx';
import { EmailForm } from './email-form.tsx';
import { InteractionFrame, OtherMethodsLink, TestServer, useAttempt } from './interaction-frame.tsx';
import classes from './sign-in.module.css';

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
        <p className={classes.dimmed}>{t('smsAgainIn', { seconds })}</p>
      ) : (
        <button type="button" className={authLinkClass} onClick={() => !busy && onAgain()}>
          {t('smsAgain')}
        </button>
      )}
      <p role="status" className={classes.dimmed}>
        {sentAgain && seconds > 0 && !wrong ? t('smsSentAgain') : ''}
      </p>
    </form>
  );
};

interface SmsPageProps {
  readonly actor: InteractionActor;
  readonly onLanguage: (language: Language) => void;
}

/** Sign-in by text message: e-mail address, then the code. */
export const SmsPage = ({ actor, onLanguage }: SmsPageProps) => {
  const { t, i18n } = useTranslation('interaction');
  const attempt = useAttempt(actor);
  const sent = useSelector(actor, selectSentSms);
  const request = (email: string) =>
    actor.send({ type: 'sms.requested', email, language: languageOf(i18n.language) ?? defaultLanguage });
  if (!sent)
    return (
      <InteractionFrame
        actor={actor}
        title={t('smsTitle')}
        introduction={t('smsLead')}
        step="sms"
        onLanguage={onLanguage}
      >
        <TestServer method="sms" />
        <EmailForm {...attempt} label={t('smsSend')} onSubmit={request} />
        <OtherMethodsLink actor={actor} />
      </InteractionFrame>
    );
  return (
    <InteractionFrame
      actor={actor}
      title={t('smsCodeTitle')}
      introduction={t('smsCodeLead', { minutes: Math.max(1, Math.round(sent.goodForSeconds / 60)) })}
      step="sms-code"
      onLanguage={onLanguage}
    >
      <TestServer method="sms" />
      <SmsCodeForm
        {...attempt}
        againAt={sent.againAt}
        sentAgain={sent.isAgain}
        onSubmit={(code) =>
          actor.send({ type: 'identification.requested', identification: { kind: 'sms-code', code } })
        }
        onAgain={() => request(sent.email)}
      />
      <div className={classes.pair}>
        <button type="button" className={authLinkClass} onClick={() => actor.send({ type: 'code.dismissed' })}>
          {t('smsOther')}
        </button>
        <OtherMethodsLink actor={actor} />
      </div>
    </InteractionFrame>
  );
};
