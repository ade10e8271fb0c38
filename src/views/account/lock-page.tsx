import { Button, PasswordInput } from '@mantine/core';
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs';
import { useSelector } from '@xstate/react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { type LockActor, selectIsUnlocking, selectUnlockFailure } from '../../machines/lock/lock.machine.ts';
import { useFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import classes from './lock-page.module.css';

interface LockPageProps {
  readonly actor: LockActor;
  readonly name: string;
  readonly onOtherUser: () => void;
}

/** Covers everything until the password is entered. Keys reach nothing behind it. */
export const LockPage = ({ actor, name, onOtherUser }: LockPageProps) => {
  const { t } = useTranslation('account');
  const failureText = useFailureText();
  const busy = useSelector(actor, selectIsUnlocking);
  const failure = useSelector(actor, selectUnlockFailure);
  const [password, setPassword] = useState('');
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const keepKeys = useEffectEvent((event: KeyboardEvent) => {
    if (!dialog.current?.contains(event.target as Node)) event.stopImmediatePropagation();
  });
  useEffect(() => {
    dialog.current?.showModal();
    document.documentElement.dataset.locked = '';
    const listen = (event: KeyboardEvent) => keepKeys(event);
    window.addEventListener('keydown', listen, { capture: true });
    return () => {
      delete document.documentElement.dataset.locked;
      window.removeEventListener('keydown', listen, { capture: true });
    };
  }, []);
  useEffect(() => {
    if (failure) field.current?.select();
  }, [failure]);
  return createPortal(
    <dialog
      ref={dialog}
      className={classes.lock}
      aria-labelledby="locked-title"
      onCancel={(event) => event.preventDefault()}
      // A browser may close it at a second Escape.
      onClose={() => dialog.current?.showModal()}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <form
        className={classes.box}
        onSubmit={(event) => {
          event.preventDefault();
          if (password !== '') actor.send({ type: 'unlock.submitted', password });
        }}
      >
        <IconLock className={classes.icon} aria-hidden="true" />
        <h1 id="locked-title" className={classes.title}>
          {t('lockedTitle')}
        </h1>
        <p>{t('lockedLead', { name })}</p>
        <PasswordInput
          ref={field}
          label={t('password')}
          autoComplete="current-password"
          data-autofocus
          autoFocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <div aria-live="assertive">{failure && <IconAlert>{failureText(failure)}</IconAlert>}</div>
        <Button type="submit" loading={busy}>
          {t('unlock')}
        </Button>
        <Button variant="default" onClick={onOtherUser}>
          {t('otherUser')}
        </Button>
      </form>
    </dialog>,
    document.body,
  );
};
