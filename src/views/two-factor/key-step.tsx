import { Button, Loader } from '@mantine/core';
import { useSelector } from '@xstate/react';
import { useTranslation } from 'react-i18next';
import {
  selectSharedKey,
  selectTwoFactorFailure,
  type TwoFactorActor,
} from '../../machines/two-factor/two-factor.machine.ts';
import { useFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../parts/icon-alert.tsx';
import { QrCode } from '../parts/qr-code.tsx';
import { CopyButton } from './copy-button.tsx';
import { inGroups } from './recovery-file.ts';
import classes from './two-factor.module.css';

/** First step: the key, for the camera of an authenticator or to be typed into it. */
export const KeyStep = ({ actor }: { actor: TwoFactorActor }) => {
  const { t } = useTranslation(['two-factor', 'shell']);
  const failureText = useFailureText();
  const key = useSelector(actor, selectSharedKey);
  const failure = useSelector(actor, selectTwoFactorFailure);
  if (failure)
    return (
      <div className={classes.step} role="alert">
        <IconAlert>{t('setupFailed')}</IconAlert>
        <p>{failureText(failure)}</p>
        <div className={classes.answers}>
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
      <p className={classes.quiet}>{t('type')}</p>
      <div className={classes.keyRow}>
        <code className={classes.key} translate="no">
          {inGroups(key.sharedKey)}
        </code>
        <CopyButton text={key.sharedKey} label={t('copyKey')} />
      </div>
      <div className={classes.answers}>
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
