import { useActorRef, useSelector } from '@xstate/react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import {
  selectAutoStartUrl,
  selectBankIdFailure,
  selectHasFailed,
  selectHint,
  selectIsCancelled,
  selectOutcome,
  selectQr,
  selectUsesThisDevice,
} from '../../machines/bank-id/bank-id.machine.ts';
import type { InteractionActor } from '../../machines/interaction/interaction.machine.ts';
import { useAppContext } from '../app/app-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import type { Language } from '../language/languages.ts';
import { AuthButton } from '../ui/auth-controls.tsx';
import { IconAlert } from '../ui/icon-alert.tsx';
import { BankIdWaiting } from './bank-id-waiting.tsx';
import { InteractionFrame, TestServer } from './interaction-frame.tsx';
import classes from './sign-in.module.css';

/** Returns true for devices with the BankID mobile app. iPads report themselves as Macs, but have touch. */
const isPhone = (): boolean =>
  /Android|iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

/**
 * Returns the URL that opens an order on this device: the app's https link on phones and tablets (handled by iOS and Android),
 * the `bankid:` scheme on computers (BankID, "Autostart").
 */
export const addressOfApp = (autoStartUrl: string): string =>
  isPhone() ? autoStartUrl.replace(/^bankid:\/\/\//, 'https://app.bankid.com/') : autoStartUrl;

interface BankIdOrderProps {
  readonly uid: string;
  readonly interaction: InteractionActor;
}

/** Runs one BankID order and cancels it on unmount. */
const BankIdOrder = ({ uid, interaction }: BankIdOrderProps) => {
  const { t } = useTranslation(['bank-id', 'interaction']);
  const failureText = useFailureText();
  const { bankId, inspect } = useAppContext();
  const actor = useActorRef(bankId, { input: { uid }, inspect });
  const qr = useSelector(actor, selectQr);
  const hint = useSelector(actor, selectHint);
  const autoStartUrl = useSelector(actor, selectAutoStartUrl);
  const here = useSelector(actor, selectUsesThisDevice);
  const hasFailed = useSelector(actor, selectHasFailed);
  const isCancelled = useSelector(actor, selectIsCancelled);
  const failure = useSelector(actor, selectBankIdFailure);
  const outcome = useSelector(actor, selectOutcome);
  useEffect(() => {
    if (isPhone()) actor.send({ type: 'device.chosen', device: 'thisDevice' });
  }, [actor]);
  useEffect(() => {
    if (outcome) interaction.send({ type: 'user.identified', outcome });
  }, [interaction, outcome]);
  useEffect(() => {
    if (failure) interaction.send({ type: 'identification.failed', failure });
  }, [interaction, failure]);

  const leave = () => {
    actor.send({ type: 'order.cancelled' });
    interaction.send({ type: 'method.changed' });
  };
  if (hasFailed || isCancelled) {
    const statusText = () => {
      if (isCancelled) return t('hint-userCancel');
      if (failure) return failureText(failure);
      return hint === null || hint === 'unknown' ? t('failed-unknown') : t(`hint-${hint}`);
    };
    return (
      <div className={classes.stack}>
        <div role="alert">
          <IconAlert tone="caution">{statusText()}</IconAlert>
        </div>
        <AuthButton autoFocus onClick={() => actor.send({ type: 'order.retried' })}>
          {t('retry')}
        </AuthButton>
        <button type="button" className={classes.textLink} onClick={leave}>
          {t('interaction:otherWays')}
        </button>
      </div>
    );
  }
  return (
    <div className={classes.stack}>
      <BankIdWaiting
        device={here ? 'thisDevice' : 'otherDevice'}
        qr={qr}
        hint={qr === null && autoStartUrl === null ? null : (hint ?? 'outstandingTransaction')}
        autoStartUrl={autoStartUrl && addressOfApp(autoStartUrl)}
        onDevice={(device) => actor.send({ type: 'device.chosen', device })}
      />
      <button type="button" className={classes.textLink} onClick={leave}>
        {t('cancel')}
      </button>
    </div>
  );
};

interface BankIdPageProps {
  readonly uid: string;
  readonly actor: InteractionActor;
  readonly onLanguage: (language: Language) => void;
}

/** BankID sign-in. */
export const BankIdPage = ({ uid, actor, onLanguage }: BankIdPageProps) => {
  const { t } = useTranslation('bank-id');
  return (
    <InteractionFrame actor={actor} title={t('title')} step="bank-id" onLanguage={onLanguage}>
      <TestServer method="bankid" />
      <BankIdOrder uid={uid} interaction={actor} />
    </InteractionFrame>
  );
};
