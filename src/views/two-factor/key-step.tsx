import { Button, Loader } from '@mantine/core';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs';
import { useSelector } from '@xstate/react';
import { Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CurrentUser } from '../../../contract/account.ts';
import {
  selectSharedKey,
  selectTwoFactorFailure,
  type TwoFactorActor,
} from '../../machines/two-factor/two-factor.machine.ts';
import { useFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import { QrCode } from '../ui/qr-code.tsx';
import { toast } from '../ui/toast.ts';
import { ProofForm } from './proof-form.tsx';
import classes from './two-factor.module.css';

/** Downloads a text as a file. */
export const saveText = (name: string, text: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The object URL can be revoked after the click: the download holds the bytes.
  setTimeout(() => URL.revokeObjectURL(address));
};

/** Splits a key into groups of four for reading. */
export const inGroups = (key: string): string => (key.match(/.{1,4}/g) ?? []).join(' ');

/** How long the confirmation is shown, in milliseconds. */
const confirmationMs = 2_000;

/** Copies a text and confirms it. */
export const CopyButton = ({ text, label }: { text: string; label: string }) => {
  const { t } = useTranslation(['two-factor', 'shell']);
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), confirmationMs);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => toast({ tone: 'bad', text: t('notCopied'), close: t('shell:close') }),
    );
  return (
    <Button
      variant="default"
      leftSection={copied ? <IconCheck aria-hidden="true" /> : <IconCopy aria-hidden="true" />}
      onClick={() => void copy()}
    >
      <span aria-live="polite">{copied ? t('copied') : label}</span>
    </Button>
  );
};

/** First step: the key as QR code and as text. */
export const KeyStep = ({ actor, user }: { actor: TwoFactorActor; user: CurrentUser }) => {
  const { t } = useTranslation(['two-factor', 'shell']);
  const failureText = useFailureText();
  const key = useSelector(actor, selectSharedKey);
  const failure = useSelector(actor, selectTwoFactorFailure);
  if (failure?.kind === 'refused' && failure.code === 'proof-needed')
    return (
      <Suspense fallback={null}>
        <ProofForm
          user={user}
          onProved={() => actor.send({ type: 'setup.retried' })}
          onCancel={() => actor.send({ type: 'wizard.left' })}
        />
      </Suspense>
    );
  if (failure)
    return (
      <div className={classes.step} role="alert">
        <IconAlert>{t('setupFailed')}</IconAlert>
        <p>{failureText(failure)}</p>
        <div className={classes.buttons}>
          <Button variant="default" onClick={() => actor.send({ type: 'wizard.left' })}>
            {t('shell:cancel')}
          </Button>
          <Button onClick={() => actor.send({ type: 'setup.retried' })}>{t('shell:retry')}</Button>
        </div>
      </div>
    );
  if (!key)
    return (
      <div className={classes.waiting} role="status" aria-label={t('shell:loading')}>
        <Loader size="sm" />
      </div>
    );
  return (
    <div className={classes.step}>
      <p>{t('scan')}</p>
      <div className={classes.qr}>
        <QrCode text={key.authenticatorUri} label={t('qr')} correction="medium" />
      </div>
      <p className={classes.dimmed}>{t('type')}</p>
      <div className={classes.keyRow}>
        <code className={classes.key} translate="no">
          {inGroups(key.sharedKey)}
        </code>
        <CopyButton text={key.sharedKey} label={t('copyKey')} />
      </div>
      <div className={classes.buttons}>
        <Button variant="default" onClick={() => actor.send({ type: 'wizard.left' })}>
          {t('shell:cancel')}
        </Button>
        <Button data-autofocus onClick={() => actor.send({ type: 'key.stored' })}>
          {t('next')}
        </Button>
      </div>
    </div>
  );
};
