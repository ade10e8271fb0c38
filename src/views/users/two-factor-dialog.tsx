import { Button, Modal, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bounds } from '../../../contract/bounds.ts';
import type { Employee } from '../../../contract/users.ts';
import { useAppContext } from '../app/app-context.tsx';
import { useAdministration } from '../app/loaded-services.ts';
import { failureOfQuery, useAppQueries } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { defaultLanguage, languageOf } from '../language/languages.ts';
import { supportsPasskeys } from '../ui/supports-passkeys.ts';
import { toast } from '../ui/toast.ts';
import classes from './users.module.css';

const [, max] = bounds.password;

interface TwoFactorDialogProps {
  readonly user: Employee;
  /** Asks for a code of the administrator instead of the password. */
  readonly asksCode: boolean;
  /** The administrator may use a passkey instead. */
  readonly hasPasskey: boolean;
  readonly onClose: () => void;
}

/** Turns off the two-factor authentication of a user, after the administrator has proved again who is at the keyboard. */
export const TwoFactorDialog = ({ user, asksCode, hasPasskey, onClose }: TwoFactorDialogProps) => {
  const { t, i18n } = useTranslation(['users', 'sign-in', 'shell']);
  const administration = useAdministration();
  const failureText = useFailureText();
  const { passkeys } = useAppContext();
  const isMailed = useQuery(useAppQueries().welcome()).data?.hasMailServer ?? false;
  const [busy, setBusy] = useState(false);
  const name = `${user.firstName} ${user.lastName}`;
  const form = useForm({
    initialValues: { proof: '' },
    validate: { proof: (text) => (text === '' ? t('sign-in:required') : null) },
  });
  const save = async (proof?: string) => {
    setBusy(true);
    try {
      if (proof === undefined) await (await passkeys()).proveByPasskey();
      const language = languageOf(i18n.language) ?? defaultLanguage;
      await administration.resetTwoFactor({ id: user.id, proof, language });
      toast({ tone: 'good', text: t('twoFactorOff', { name }), close: t('shell:close') });
      onClose();
    } catch (error) {
      setBusy(false);
      form.setFieldError('proof', failureText(failureOfQuery(error)));
      form.getInputNode('proof')?.focus();
    }
  };
  const field = { required: true, 'data-autofocus': true, maxLength: max, ...form.getInputProps('proof') };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('twoFactorTitle', { name })}
      size={440}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <form className={classes.proof} noValidate onSubmit={form.onSubmit(({ proof }) => void save(proof))}>
        <p>
          {t('twoFactorText', { name })} {isMailed && t('twoFactorMails')}
        </p>
        {hasPasskey && supportsPasskeys() && (
          <Button variant="default" disabled={busy} onClick={() => void save()}>
            {t('sign-in:usePasskey')}
          </Button>
        )}
        {asksCode ? (
          <TextInput label={t('ownCode')} autoComplete="one-time-code" {...field} />
        ) : (
          <PasswordInput
            label={t('ownPasswordAgain')}
            autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': t('sign-in:showPassword') }}
            {...field}
          />
        )}
        <div className={classes.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button type="submit" color="red.9" loading={busy}>
            {t('twoFactorNow')}
          </Button>
        </div>
      </form>
    </Modal>
  );
};
