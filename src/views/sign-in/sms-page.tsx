import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useGround } from '../ground.tsx';
import { defaultLanguage, type Language, languageOf } from '../language/languages.ts';
import { EmailForm } from './email-form.tsx';
import { InteractionFrame } from './interaction-frame.tsx';
import classes from './sign-in.module.css';
import { SmsCodeForm } from './sms-code-form.tsx';
import { TestServer } from './test-server.tsx';
import { useInteraction } from './use-interaction.ts';

interface SentCode {
  readonly email: string;
  readonly goodForMinutes: number;
  /** When another may be asked for, in milliseconds of the epoch. */
  readonly againAt: number;
  /** How many were asked for, this one among them. */
  readonly count: number;
}

/** Sign-in by a code in a text message: the address of the account, then the code. */
export const SmsPage = ({ uid, onLanguage }: { uid: string; onLanguage: (language: Language) => void }) => {
  const { t, i18n } = useTranslation('interaction');
  const { signIn } = useGround();
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
