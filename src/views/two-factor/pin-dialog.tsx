import { Button, Modal } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CurrentUser } from '../../../contract/account.ts';
import { useAppContext } from '../app/app-context.tsx';
import { failureOfQuery, rejectedFields } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import { toast } from '../ui/toast.ts';
import { PinForm } from './pin-form.tsx';
import { ProofForm } from './proof-form.tsx';
import classes from './two-factor.module.css';
import { useProvedChange } from './use-proved-change.ts';

interface PinDialogProps {
  readonly user: CurrentUser;
  readonly onClose: () => void;
}

/** Sets, changes and removes the PIN of the user; a change may first ask who the user is. */
export const PinDialog = ({ user, onClose }: PinDialogProps) => {
  const { t } = useTranslation(['two-factor', 'shell']);
  const failureText = useFailureText();
  const { pins } = useAppContext();
  // As it was when the dialog opened: its title does not change with the change.
  const [hasPin] = useState(user.pin !== 'none');
  const [isRemoving, setRemoving] = useState(false);
  const { run, waiting, busy, error } = useProvedChange((failed) =>
    rejectedFields(failed).length > 0 ? t('pinCommon') : failureText(failureOfQuery(failed)),
  );
  const top = useRef<HTMLDivElement>(null);
  const change = isRemoving ? 'remove' : 'set';
  const place = waiting ? 'proof' : change;
  useEffect(() => {
    if (place !== 'set') top.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
  }, [place]);
  const finish = (text: string) => {
    toast({ tone: 'good', text, close: t('shell:close') });
    onClose();
  };
  const set = (pin: string) =>
    run(async () => {
      await pins.set(pin);
      finish(t(hasPin ? 'pinChanged' : 'pinSaved'));
    });
  const remove = () =>
    run(async () => {
      await pins.remove();
      finish(t('pinRemoved'));
    });
  const titles = { proof: t('proofTitle'), set: t(hasPin ? 'changePin' : 'setPin'), remove: t('removePinQuestion') };
  return (
    <Modal
      opened
      onClose={onClose}
      title={titles[place]}
      size={440}
      zIndex={400}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <div ref={top} className={classes.top}>
        {waiting && <ProofForm user={user} onProved={() => void run(waiting)} onCancel={onClose} />}
        {place === 'set' && (
          <PinForm
            hasPin={hasPin}
            busy={busy}
            error={error}
            onSubmit={(pin) => void set(pin)}
            onRemove={() => setRemoving(true)}
            onCancel={onClose}
          />
        )}
        {place === 'remove' && (
          <div className={classes.step}>
            <p>{t('removePinText')}</p>
            <div aria-live="assertive">{error && <IconAlert>{error}</IconAlert>}</div>
            <div className={classes.buttons}>
              <Button variant="default" data-autofocus onClick={onClose}>
                {t('shell:cancel')}
              </Button>
              <Button color="red.9" loading={busy} onClick={() => void remove()}>
                {t('remove')}
              </Button>
            </div>
          </div>
        )}
      </div>
    </Modal>
  );
};
