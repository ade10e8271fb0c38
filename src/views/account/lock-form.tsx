import { Button, PasswordInput } from '@mantine/core';
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs';
import { useSelector } from '@xstate/react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type PinState, pinDigits } from '../../../contract/pins.ts';
import {
  type LockActor,
  selectIsCancelled,
  selectIsPinBlocked,
  selectIsUnlocking,
  selectUnlockFailure,
} from '../../machines/lock/lock.machine.ts';
import { Isolated } from '../app/shell/error-boundary.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import { lazyAuthPage } from '../ui/lazy-auth-page.ts';
import { supportsPasskeys } from '../ui/supports-passkeys.ts';
import classes from './lock-page.module.css';

const BankIdOrder = lazyAuthPage(async () => (await import('../ui/bank-id/bank-id-order.tsx')).BankIdOrder);

const [leastDigits, mostDigits] = pinDigits;

export interface LockFormProps {
  readonly actor: LockActor;
  readonly name: string;
  readonly pin: PinState;
  readonly hasPasskey: boolean;
  readonly hasBankId: boolean;
  readonly onOtherUser: () => void;
}

/** Asks for the PIN of a user who has one and may use it, else for the password. */
export const LockForm = ({ actor, name, pin, hasPasskey, hasBankId, onOtherUser }: LockFormProps) => {
  const { t } = useTranslation('account');
  const failureText = useFailureText();
  const busy = useSelector(actor, selectIsUnlocking);
  const failure = useSelector(actor, selectUnlockFailure);
  const isCancelled = useSelector(actor, selectIsCancelled);
  const isPinBlocked = useSelector(actor, selectIsPinBlocked) || pin === 'blocked';
  const [prefersPassword, setPrefersPassword] = useState(false);
  const [byBankId, setByBankId] = useState(false);
  const [text, setText] = useState('');
  const [isShort, setShort] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const byPin = pin === 'usable' && !isPinBlocked && !prefersPassword;
  useEffect(() => {
    if (failure) field.current?.select();
  }, [failure]);
  useEffect(() => {
    // What was typed as a PIN is no password.
    if (isPinBlocked) setText('');
  }, [isPinBlocked]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const lacksDigits = byPin && text.length < leastDigits;
    setShort(lacksDigits);
    if (text !== '' && !lacksDigits)
      actor.send({ type: 'unlock.submitted', by: byPin ? { pin: text } : { password: text } });
  };
  const change = (way: 'pin' | 'password') => {
    setPrefersPassword(way === 'password');
    setText('');
    setShort(false);
  };
  const title = (
    <>
      <IconLock className={classes.icon} aria-hidden="true" />
      <h1 id="locked-title" className={classes.title}>
        {t('lockedTitle')}
      </h1>
    </>
  );
  if (byBankId)
    return (
      <div className={classes.box}>
        {title}
        <p>{t('lockedLeadBankId', { name })}</p>
        <Isolated place="bank-id">
          <BankIdOrder
            uid={null}
            otherWays={t('otherUnlock')}
            onIdentified={() => {
              setByBankId(false);
              actor.send({ type: 'unlock.submitted', by: { bankId: true } });
            }}
            onLeave={() => setByBankId(false)}
          />
        </Isolated>
      </div>
    );
  return (
    <form className={classes.box} noValidate onSubmit={submit}>
      {title}
      <p>{t(byPin ? 'lockedLeadPin' : 'lockedLead', { name })}</p>
      <div aria-live="assertive">
        {isPinBlocked && pin !== 'none' && <IconAlert tone="caution">{t('pinBlocked')}</IconAlert>}
      </div>
      <PasswordInput
        key={byPin ? 'pin' : 'password'}
        ref={field}
        label={t(byPin ? 'pin' : 'password')}
        {...(byPin
          ? { inputMode: 'numeric', autoComplete: 'off', maxLength: mostDigits }
          : { autoComplete: 'current-password' })}
        data-autofocus
        autoFocus
        value={text}
        error={isShort ? t('pinDigits', { least: leastDigits, most: mostDigits }) : null}
        onChange={({ currentTarget: { value } }) => setText(byPin ? value.replace(/\D/g, '') : value)}
      />
      <div aria-live="assertive">
        {failure && <IconAlert>{isCancelled ? t('passkeyCancelled') : failureText(failure)}</IconAlert>}
      </div>
      <Button type="submit" loading={busy}>
        {t('unlock')}
      </Button>
      {hasPasskey && supportsPasskeys() && (
        <Button
          variant="default"
          disabled={busy}
          onClick={() => actor.send({ type: 'unlock.submitted', by: 'passkey' })}
        >
          {t('usePasskey')}
        </Button>
      )}
      {hasBankId && (
        <Button variant="default" disabled={busy} onClick={() => setByBankId(true)}>
          {t('useBankId')}
        </Button>
      )}
      {pin === 'usable' && !isPinBlocked && (
        <Button variant="default" onClick={() => change(byPin ? 'password' : 'pin')}>
          {t(byPin ? 'usePassword' : 'usePin')}
        </Button>
      )}
      <Button variant="default" onClick={onOtherUser}>
        {t('otherUser')}
      </Button>
    </form>
  );
};
