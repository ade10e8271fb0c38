import { useActorRef, useSelector } from '@xstate/react';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { InteractionOutcome } from '../../../../contract/interactions.ts';
import {
  selectAutoStartUrl,
  selectBankIdFailure,
  selectHasFailed,
  selectHint,
  selectIsCancelled,
  selectIsIdentified,
  selectOutcome,
  selectQr,
  selectUsesThisDevice,
} from '../../../machines/bank-id/bank-id.machine.ts';
import { useAppContext } from '../../app/app-context.tsx';
import { useFailureText } from '../../language/failure-text.ts';
import { AuthButton, authLinkClass } from '../auth-controls.tsx';
import { IconAlert } from '../icon-alert.tsx';
import classes from './bank-id.module.css';
import { BankIdWaiting } from './bank-id-waiting.tsx';

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

type Failure = NonNullable<ReturnType<typeof selectBankIdFailure>>;

interface BankIdOrderProps {
  /** Interaction that the user signs in to; null: the locked session. */
  readonly uid: string | null;
  /** Leads to the other ways of identification. */
  readonly otherWays: string;
  readonly onIdentified: (outcome: InteractionOutcome | null) => void;
  /** Also told of failures, which are shown here. */
  readonly onFailed?: (failure: Failure) => void;
  readonly onLeave: () => void;
}

/** Runs one BankID order and cancels it on unmount. */
export const BankIdOrder = ({ uid, otherWays, onIdentified, onFailed, onLeave }: BankIdOrderProps) => {
  const { t } = useTranslation('bank-id');
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
  const isIdentified = useSelector(actor, selectIsIdentified);
  const identified = useEffectEvent(() => onIdentified(selectOutcome(actor.getSnapshot())));
  const failed = useEffectEvent((reason: Failure) => onFailed?.(reason));
  useEffect(() => {
    if (isPhone()) actor.send({ type: 'device.chosen', device: 'thisDevice' });
  }, [actor]);
  useEffect(() => {
    if (isIdentified) identified();
  }, [isIdentified]);
  useEffect(() => {
    if (failure) failed(failure);
  }, [failure]);

  const leave = () => {
    actor.send({ type: 'order.cancelled' });
    onLeave();
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
        <button type="button" className={authLinkClass} onClick={leave}>
          {otherWays}
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
      <button type="button" className={authLinkClass} onClick={leave}>
        {t('cancel')}
      </button>
    </div>
  );
};
