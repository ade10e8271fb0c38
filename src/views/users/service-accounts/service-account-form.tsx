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
const scopeTexts = {
  'dicomweb.read': 'serviceRead',
  'dicomweb.write': 'serviceWrite',
  'orders.write': 'serviceOrder',
} as const satisfies Record<ServiceScope, string>;

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
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [further, setFurther] = useState<readonly Clinic[]>([]);
  const form = useForm({
    initialValues: {
      name: '',
      days: String(usualDays),
      scopes: ['dicomweb.read'] as readonly ServiceScope[],
      atOnce: false,
    },
    validate: {
      name: (text) => (text.trim().length < 2 ? t('length', { min: 2, max: 100 }) : null),
      scopes: (scopes) => (scopes.length === 0 ? t('serviceNoRight') : null),
    },
  });
  const { scopes: chosen } = form.values;
  const sends = chosen.includes('dicomweb.write');
  const toggle = (scope: ServiceScope) =>
    form.setFieldValue(
      'scopes',
      serviceScopes.filter((one) => (one === scope) !== chosen.includes(one)),
    );
  const create = async ({ name, days, scopes, atOnce }: typeof form.values) => {
    setBusy(true);
    setFailure(null);
    try {
      await onCreate({
        name: name.trim(),
        scopes: [...scopes],
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
          label={t('directoryDays')}
          {...form.getInputProps('days')}
          data={serviceAccountDays.map((days) => ({
            value: String(days),
            label: t('directoryDayCount', { count: days }),
          }))}
        />
      </div>
      <fieldset className={classes.clinics}>
        <legend className={classes.legend}>{t('serviceRights')}</legend>
        {serviceScopes.map((scope) => (
          <Checkbox
            key={scope}
            label={t(scopeTexts[scope])}
            checked={chosen.includes(scope)}
            onChange={() => toggle(scope)}
          />
        ))}
        <div aria-live="polite">{form.errors.scopes && <IconAlert>{form.errors.scopes}</IconAlert>}</div>
      </fieldset>
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
