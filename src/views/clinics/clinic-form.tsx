import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { bounds } from '../../../contract/bounds.ts';
import { type Customer, type CustomerFields, countries } from '../../../contract/customers.ts';
import { useFieldRules } from '../forms/field-rules.ts';
import classes from '../forms/form.module.css';
import { FormEnd } from '../forms/form-end.tsx';
import { useSending } from '../forms/use-sending.ts';

interface ClinicFormProps {
  /** Null for a new clinic. */
  readonly known: Customer | null;
  readonly submit: string;
  /** Rejects with what the archive refused. */
  readonly onSubmit: (fields: CustomerFields) => Promise<unknown>;
  readonly onDirty: (dirty: boolean) => void;
  readonly onCancel: () => void;
  readonly onLoadTheirs: (() => void) | null;
}

const valuesOf = (known: Customer | null) => ({
  organisationName: known?.name ?? '',
  organisationNumber: known?.organisationNumber ?? '',
  customerNumber: known?.customerNumber ?? '',
  address: known?.address ?? '',
  zipcode: known?.zipcode ?? '',
  city: known?.city ?? '',
  country: known?.country ?? 'SE',
  telephone: known?.telephone ?? '',
  license: known?.license ?? '',
  description: known?.description ?? '',
  useProxy: known?.useProxy ?? false,
});

/** What a clinic is, new or known. */
export const ClinicForm = ({ known, submit, onSubmit, onDirty, onCancel, onLoadTheirs }: ClinicFormProps) => {
  const { t } = useTranslation('clinics');
  const rules = useFieldRules();
  const form = useForm({
    initialValues: valuesOf(known),
    validate: {
      organisationName: rules.required('organisationName'),
      organisationNumber: rules.optional('organisationNumber'),
      customerNumber: rules.optional('customerNumber'),
      address: rules.required('address'),
      zipcode: rules.optional('zipcode'),
      city: rules.optional('city'),
      telephone: rules.required('phone'),
      license: rules.optional('license'),
      description: rules.optional('description'),
    },
  });
  const { sending, submit: submitting } = useSending(form, onDirty);
  const plain = { autoComplete: 'off' } as const;
  return (
    <form className={classes.form} noValidate onSubmit={submitting((values) => onSubmit(values))}>
      <TextInput
        label={t('name')}
        required
        data-autofocus
        {...plain}
        {...form.getInputProps('organisationName')}
        maxLength={bounds.organisationName[1]}
      />
      <div className={classes.pair}>
        <TextInput label={t('organisationNumber')} {...plain} {...form.getInputProps('organisationNumber')} />
        <TextInput label={t('customerNumber')} {...plain} {...form.getInputProps('customerNumber')} />
      </div>
      <TextInput label={t('address')} required {...plain} {...form.getInputProps('address')} />
      <div className={classes.pair}>
        <TextInput label={t('zipcode')} {...plain} {...form.getInputProps('zipcode')} />
        <TextInput label={t('city')} {...plain} {...form.getInputProps('city')} />
      </div>
      <div className={classes.pair}>
        <NativeSelect
          label={t('country')}
          data={countries.map((value) => ({ value, label: t(value) }))}
          {...form.getInputProps('country')}
        />
        <TextInput label={t('telephone')} required type="tel" {...plain} {...form.getInputProps('telephone')} />
      </div>
      <TextInput label={t('license')} {...plain} {...form.getInputProps('license')} />
      <Textarea label={t('description')} autosize minRows={2} maxRows={6} {...form.getInputProps('description')} />
      <Checkbox label={t('useProxy')} {...form.getInputProps('useProxy', { type: 'checkbox' })} />
      <FormEnd sending={sending} submit={submit} onCancel={onCancel} onLoadTheirs={onLoadTheirs} />
    </form>
  );
};
