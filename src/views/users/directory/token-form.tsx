import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { directoryTokenDays } from '../../../../contract/directory.ts';
import { failureOfQuery } from '../../app/queries-context.tsx';
import { useFailureText } from '../../language/failure-text.ts';
import { IconAlert } from '../../ui/icon-alert.tsx';
import classes from './directory.module.css';

type Days = (typeof directoryTokenDays)[number];

export interface NewToken {
  readonly name: string;
  readonly days: Days;
  readonly invites: boolean;
}

const [, , usualDays] = directoryTokenDays;
const daysOf = (text: string): Days => directoryTokenDays.find((days) => String(days) === text) ?? usualDays;

interface TokenFormProps {
  /** Whether the archive can send invitations. */
  readonly isMailed: boolean;
  /** Rejects with the server's error. */
  readonly onCreate: (token: NewToken) => Promise<unknown>;
}

/** Makes a token of a clinic's directory. */
export const TokenForm = ({ isMailed, onCreate }: TokenFormProps) => {
  const { t } = useTranslation('users');
  const failureText = useFailureText();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({
    initialValues: { name: '', days: String(usualDays), invites: false },
    validate: { name: (text) => (text.trim().length < 2 ? t('length', { min: 2, max: 100 }) : null) },
  });
  const create = async ({ name, days, invites }: typeof form.values) => {
    setBusy(true);
    setFailure(null);
    try {
      await onCreate({ name: name.trim(), days: daysOf(days), invites });
      form.reset();
    } catch (error) {
      setFailure(failureText(failureOfQuery(error)));
    }
    setBusy(false);
  };
  return (
    <form className={classes.form} noValidate onSubmit={form.onSubmit((values) => void create(values))}>
      <h3 className={classes.heading}>{t('directoryNew')}</h3>
      <div className={classes.pair}>
        <TextInput
          label={t('directoryName')}
          placeholder="Microsoft Entra ID"
          required
          maxLength={100}
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <NativeSelect
          label={t('directoryDays')}
          {...form.getInputProps('days')}
          data={directoryTokenDays.map((days) => ({
            value: String(days),
            label: t('directoryDayCount', { count: days }),
          }))}
        />
      </div>
      <Checkbox
        label={t('directoryInvites')}
        description={t(isMailed ? 'directoryInvitesHelp' : 'directoryInvitesNoMail')}
        {...form.getInputProps('invites', { type: 'checkbox' })}
      />
      <div aria-live="assertive">{failure && <IconAlert>{failure}</IconAlert>}</div>
      <div className={classes.buttons}>
        <Button type="submit" loading={busy}>
          {t('directoryCreate')}
        </Button>
      </div>
    </form>
  );
};
