import { Button, Modal, PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bounds } from '../../../contract/bounds.ts';
import type { ErrorItem } from '../../../contract/problem.ts';
import { failureOfQuery, rejectedFields } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { toast } from '../ui/toast.ts';
import classes from './form.module.css';
import { PasswordRuleList, unmetRules, usePasswordErrorText } from './password-rules.tsx';

const [, max] = bounds.password;

/** Returns error texts, one line for each field key in the reply. */
const useErrorLines = () => {
  const { t } = useTranslation('password');
  const passwordErrorText = usePasswordErrorText();
  return ({ fieldKey, vars }: ErrorItem): string => {
    if (fieldKey !== 'password') return t('fieldRejected', { field: fieldKey });
    return `${t('password')}: ${passwordErrorText({ vars })}`;
  };
};

interface PasswordDialogProps {
  readonly title: string;
  readonly lead: string;
  /** Message after the password was changed. */
  readonly saved: string;
  /** Asks for the current password too. */
  readonly asksCurrent?: boolean;
  readonly onSave: (values: { readonly current: string; readonly password: string }) => Promise<unknown>;
  readonly onClose: () => void;
}

/** A new password, typed twice, with a live checklist of the password rules. */
export const PasswordDialog = ({ title, lead, saved, asksCurrent = false, onSave, onClose }: PasswordDialogProps) => {
  const { t } = useTranslation(['password', 'sign-in', 'shell']);
  const failureText = useFailureText();
  const errorLineOf = useErrorLines();
  const [busy, setBusy] = useState(false);
  const form = useForm({
    initialValues: { current: '', password: '', again: '' },
    validateInputOnBlur: ['again'],
    validate: {
      current: (text) => (asksCurrent && text === '' ? t('sign-in:required') : null),
      password: (text) => {
        if (text === '') return t('sign-in:required');
        return unmetRules(text).size > 0 ? t('requirementsNotMet') : null;
      },
      again: (text, { password }) => {
        if (text === '') return t('sign-in:required');
        return text === password ? null : t('differ');
      },
    },
  });
  const show = (error: unknown) => {
    const failure = failureOfQuery(error);
    if (failure.code === 'incorrect-password') {
      form.setFieldError('current', failureText(failure));
      return form.getInputNode('current')?.focus();
    }
    const lines = rejectedFields(error).map(errorLineOf);
    const text = lines.length > 0 ? [t('rejected'), ...lines].join('\n') : failureText(failure);
    toast({ tone: 'bad', text, close: t('shell:close') });
    form.getInputNode('password')?.focus();
  };
  const save = async (values: typeof form.values) => {
    setBusy(true);
    try {
      await onSave(values);
      toast({ tone: 'good', text: saved, close: t('shell:close') });
      onClose();
    } catch (error) {
      setBusy(false);
      show(error);
    }
  };
  const visibility = { 'aria-label': t('sign-in:showPassword') };
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={440}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <form
        className={classes.form}
        noValidate
        onSubmit={form.onSubmit(
          (values) => void save(values),
          (errors) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus(),
        )}
      >
        <p className={classes.dimmed}>{lead}</p>
        {asksCurrent && (
          <PasswordInput
            label={t('current')}
            required
            data-autofocus
            autoComplete="current-password"
            maxLength={max}
            visibilityToggleButtonProps={visibility}
            {...form.getInputProps('current')}
          />
        )}
        <PasswordInput
          label={t('newPassword')}
          required
          data-autofocus={!asksCurrent || undefined}
          autoComplete="new-password"
          maxLength={max}
          visibilityToggleButtonProps={visibility}
          {...form.getInputProps('password')}
        />
        <PasswordRuleList password={form.values.password} />
        <PasswordInput
          label={t('repeat')}
          required
          autoComplete="new-password"
          maxLength={max}
          visibilityToggleButtonProps={visibility}
          {...form.getInputProps('again')}
        />
        <div className={classes.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {t('save')}
          </Button>
        </div>
      </form>
    </Modal>
  );
};
