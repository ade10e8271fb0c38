import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { serviceAccountDays } from '../../../../contract/service-accounts.ts';
import { type ServiceScope, serviceScopes } from '../../../../contract/service-scopes.ts';
import { failureOfQuery } from '../../app/queries-context.tsx';
import { useFailureText } from '../../language/failure-text.ts';
import { IconAlert } from '../../ui/icon-alert.tsx';
import { type Clinic, FurtherClinics } from './further-clinics.tsx';
import classes from './service-accounts.module.css';
import { useRightsText } from './use-rights-text.ts';

type Days = (typeof serviceAccountDays)[number];

export interface NewServiceAccount {
  readonly name: string;
  readonly scopes: ServiceScope[];
  readonly days: Days;
  readonly atOnce: boolean;
  readonly customerIds: string[];
}

const [, , usualDays] = serviceAccountDays;
const daysOf = (text: string): Days => serviceAccountDays.find((days) => String(days) === text) ?? usualDays;
const choices: readonly (readonly ServiceScope[])[] = [...serviceScopes.map((scope) => [scope]), serviceScopes];

interface ServiceAccountFormProps {
  readonly clinic: Clinic;
  /** Whether the user may choose further clinics. */
  readonly offersClinics: boolean;
  /** Rejects with the server's error. */
  readonly onCreate: (account: NewServiceAccount) => Promise<unknown>;
}

/** Makes a service account of a clinic. */
export const ServiceAccountForm = ({ clinic, offersClinics, onCreate }: ServiceAccountFormProps) => {
  const { t } = useTranslation('users');
  const failureText = useFailureText();
  const rightsText = useRightsText();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [further, setFurther] = useState<readonly Clinic[]>([]);
  const form = useForm({
    initialValues: { name: '', days: String(usualDays), rights: '0', atOnce: false },
    validate: { name: (text) => (text.trim().length < 2 ? t('length', { min: 2, max: 100 }) : null) },
  });
  const scopesOf = (rights: string): readonly ServiceScope[] => choices[Number(rights)] ?? [];
  const sends = scopesOf(form.values.rights).includes('dicomweb.write');
  const create = async ({ name, days, rights, atOnce }: typeof form.values) => {
    setBusy(true);
    setFailure(null);
    try {
      await onCreate({
        name: name.trim(),
        scopes: [...scopesOf(rights)],
        days: daysOf(days),
        atOnce: sends && atOnce,
        customerIds: [clinic.id, ...further.map(({ id }) => id)],
      });
      form.reset();
      setFurther([]);
    } catch (error) {
      setFailure(failureText(failureOfQuery(error)));
    }
    setBusy(false);
  };
  return (
    <form className={classes.form} noValidate onSubmit={form.onSubmit((values) => void create(values))}>
      <h3 className={classes.heading}>{t('serviceNew')}</h3>
      <div className={classes.fields}>
        <TextInput
          label={t('directoryName')}
          placeholder="OHIF"
          required
          maxLength={100}
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <NativeSelect
          label={t('serviceRights')}
          {...form.getInputProps('rights')}
          data={choices.map((scopes, index) => ({ value: String(index), label: rightsText({ scopes }) }))}
        />
        <NativeSelect
          label={t('directoryDays')}
          {...form.getInputProps('days')}
          data={serviceAccountDays.map((days) => ({
            value: String(days),
            label: t('directoryDayCount', { count: days }),
          }))}
        />
      </div>
      {sends && (
        <Checkbox
          label={t('serviceAtOnce')}
          description={t('serviceAtOnceHelp')}
          {...form.getInputProps('atOnce', { type: 'checkbox' })}
        />
      )}
      {offersClinics && <FurtherClinics chosen={further} excludedId={clinic.id} onChange={setFurther} />}
      <div aria-live="assertive">{failure && <IconAlert>{failure}</IconAlert>}</div>
      <div className={classes.buttons}>
        <Button type="submit" loading={busy}>
          {t('serviceCreate')}
        </Button>
      </div>
    </form>
  );
};
