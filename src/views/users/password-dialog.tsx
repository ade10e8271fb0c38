import { Button, Modal, PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bounds } from '../../../contract/bounds.ts';
import type { ErrorItem } from '../../../contract/problem.ts';
import type { Employee } from '../../../contract/users.ts';
import { useAdministration } from '../app/loaded-services.ts';
import { failureOfQuery, rejectedFields } from '../app/queries-context.tsx';
import classes from '../forms/form.module.css';
import { PasswordRuleList, passwordRules, ruleTexts, unmetRules } from '../forms/password-rules.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { toast } from '../ui/toast.ts';

const [min, max] = bounds.password;

/** Returns error texts, one line for each field key in the reply. */
const useErrorLines = () => {
  const { t } = useTranslation(['users', 'password']);
  return ({ fieldKey, vars }: ErrorItem): string => {
    if (fieldKey !== 'password') return t('fieldRejected', { field: fieldKey });
    const rule = passwordRules.find((one) => one === vars?.rule) ?? 'length';
    return `${t('password')}: ${t(`password:${ruleTexts[rule]}`, { min, max })}`;
  };
};

/** Sets a password for another user: typed twice, with a live checklist of the password rules. */
export const PasswordDialog = ({ user, onClose }: { user: Employee; onClose: () => void }) => {
  const { t } = useTranslation(['users', 'password', 'sign-in', 'shell']);
  const administration = useAdministration();
  const failureText = useFailureText();
  const errorLineOf = useErrorLines();
  const [busy, setBusy] = useState(false);
  const name = `${user.firstName} ${user.lastName}`;
  const form = useForm({
    initialValues: { password: '', again: '' },
    validateInputOnBlur: ['again'],
    validate: {
      password: (text) => {
        if (text === '') return t('required');
        return unmetRules(text).size > 0 ? t('password:requirementsNotMet') : null;
      },
      again: (text, { password }) => {
        if (text === '') return t('required');
        return text === password ? null : t('password:differ');
      },
    },
  });
  const save = async (password: string) => {
    setBusy(true);
    try {
      await administration.setPassword({ id: user.id, password });
      toast({ tone: 'good', text: t('passwordSet', { name }), close: t('shell:close') });
      onClose();
    } catch (error) {
      setBusy(false);
      const lines = rejectedFields(error).map(errorLineOf);
      const text = lines.length > 0 ? [t('passwordRejected'), ...lines].join('\n') : failureText(failureOfQuery(error));
      toast({ tone: 'bad', text, close: t('shell:close') });
      form.getInputNode('password')?.focus();
    }
  };
  const visibility = { 'aria-label': t('sign-in:showPassword') };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('setPasswordTitle', { name })}
      size={440}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <form
        className={classes.form}
        noValidate
        onSubmit={form.onSubmit(
          ({ password }) => void save(password),
          (errors) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus(),
        )}
      >
        <p className={classes.dimmed}>{t('setPasswordLead', { name })}</p>
        <PasswordInput
          label={t('password:newPassword')}
          required
          data-autofocus
          autoComplete="new-password"
          maxLength={max}
          visibilityToggleButtonProps={visibility}
          {...form.getInputProps('password')}
        />
        <PasswordRuleList password={form.values.password} />
        <PasswordInput
          label={t('password:repeat')}
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
