import { useActorRef, useSelector } from '@xstate/react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { InteractionOutcome } from '../../../contract/interactions.ts';
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
import { useGround } from '../ground.tsx';
import { type ToldFailure, useFailureText } from '../language/failure-text.ts';
import { EntryButton } from '../parts/entry-button.tsx';
import { IconAlert } from '../parts/icon-alert.tsx';
import { addressOfApp, isPhone } from './bank-id-app.ts';
import { BankIdWaiting } from './bank-id-waiting.tsx';
import classes from './sign-in.module.css';

interface BankIdOrderProps {
  readonly uid: string;
  readonly onProved: (outcome: InteractionOutcome) => void;
  /** The archive, not BankID, said no. */
  readonly onFailure: (failure: ToldFailure) => void;
  readonly onLeave: () => void;
}

/** One order of BankID, from its code to its end. It is cancelled when the page is left. */
export const BankIdOrder = ({ uid, onProved, onFailure, onLeave }: BankIdOrderProps) => {
  const { t } = useTranslation(['bank-id', 'interaction']);
  const failureText = useFailureText();
  const { bankId, inspect } = useGround();
  const actor = useActorRef(bankId, { input: { uid }, inspect });
  const qr = useSelector(actor, selectQr);
  const hint = useSelector(actor, selectHint);
  const autoStartUrl = useSelector(actor, selectAutoStartUrl);
  const here = useSelector(actor, selectUsesThisDevice);
  const hasFailed = useSelector(actor, selectHasFailed);
  const isCancelled = useSelector(actor, selectIsCancelled);
  const failure = useSelector(actor, selectBankIdFailure);
  const outcome = useSelector(actor, selectOutcome);
  const heard = useRef({ onProved, onFailure });
  useEffect(() => {
    heard.current = { onProved, onFailure };
  });
  useEffect(() => {
    if (isPhone()) actor.send({ type: 'device.chosen', device: 'thisDevice' });
  }, [actor]);
  useEffect(() => {
    if (outcome) heard.current.onProved(outcome);
  }, [outcome]);
  useEffect(() => {
    if (failure) heard.current.onFailure(failure);
  }, [failure]);

  const leave = () => {
    actor.send({ type: 'order.cancelled' });
    onLeave();
  };
  if (hasFailed || isCancelled) {
    const told = () => {
      if (isCancelled) return t('hint-userCancel');
      if (failure) return failureText(failure);
      return hint === null || hint === 'unknown' ? t('failed-unknown') : t(`hint-${hint}`);
    };
    return (
      <div className={classes.stack}>
        <div role="alert">
          <IconAlert tone="caution">{told()}</IconAlert>
        </div>
        <EntryButton autoFocus onClick={() => actor.send({ type: 'order.retried' })}>
          {t('retry')}
        </EntryButton>
        <button type="button" className={classes.quietLink} onClick={leave}>
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
      <button type="button" className={classes.quietLink} onClick={leave}>
        {t('cancel')}
      </button>
    </div>
  );
};
