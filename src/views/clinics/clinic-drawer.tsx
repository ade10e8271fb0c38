import { Checkbox, NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bounds } from '../../../contract/bounds.ts';
import { type Customer, type CustomerFields, countries } from '../../../contract/customers.ts';
import { retentionBounds } from '../../../contract/retention-years.ts';
import { useAdministration } from '../app/loaded-services.ts';
import { DrawerForm } from '../forms/drawer-form.tsx';
import classes from '../forms/form.module.css';
import { FormFooter } from '../forms/form-footer.tsx';
import { useEditedRecord, useFieldRules, useFormSubmit } from '../forms/use-form-submit.ts';
import { toast } from '../ui/toast.ts';
import { useViewerRules, ViewerFields } from './viewer-fields.tsx';

interface ClinicFormProps {
  /** Null for a new clinic. */
  readonly known: Customer | null;
  readonly submit: string;
  /** Rejects with the server's error. */
  readonly onSubmit: (fields: CustomerFields) => Promise<unknown>;
  readonly onDirty: (dirty: boolean) => void;
  readonly onCancel: () => void;
  readonly onLoadLatest: (() => void) | null;
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
  sharesByLink: known?.sharesByLink ?? false,
  retainsForever: known?.retentionYears === null,
  retentionYears: known?.retentionYears ?? retentionBounds.default,
  viewers: known?.viewers ?? [],
});

type FormValues = ReturnType<typeof valuesOf>;

const fieldsOf = ({ retainsForever, retentionYears, ...fields }: FormValues): CustomerFields => ({
  ...fields,
  retentionYears: retainsForever ? null : retentionYears,
});

/** Form for the details of a new or existing clinic. */
const ClinicForm = ({ known, submit, onSubmit, onDirty, onCancel, onLoadLatest }: ClinicFormProps) => {
  const { t } = useTranslation('clinics');
  const rules = useFieldRules();
  const viewers = useViewerRules();
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
      viewers,
    },
  });
  const { sending, submit: submitting } = useFormSubmit(form, onDirty);
  const plain = { autoComplete: 'off' } as const;
  return (
    <form className={classes.form} noValidate onSubmit={submitting((values) => onSubmit(fieldsOf(values)))}>
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
      <Checkbox
        label={t('sharesByLink')}
        description={t('sharesByLinkHelp')}
        {...form.getInputProps('sharesByLink', { type: 'checkbox' })}
      />
      <Checkbox
        label={t('retainsForever')}
        description={t('retainsForeverHelp')}
        {...form.getInputProps('retainsForever', { type: 'checkbox' })}
      />
      {!form.values.retainsForever && (
        <NumberInput
          label={t('retentionYears')}
          description={t('retentionYearsHelp')}
          min={retentionBounds.min}
          max={retentionBounds.max}
          allowDecimal={false}
          {...form.getInputProps('retentionYears')}
        />
      )}
      <ViewerFields form={form} />
      <FormFooter sending={sending} submit={submit} onCancel={onCancel} onLoadLatest={onLoadLatest} />
    </form>
  );
};

interface EditProps {
  readonly clinic: Customer;
  readonly onClose: () => void;
}

/** Edits a clinic. On a version conflict the user can load the newer values. */
export const EditClinic = ({ clinic, onClose }: EditProps) => {
  const { t } = useTranslation(['clinics', 'shell']);
  const administration = useAdministration();
  const [dirty, setDirty] = useState(false);
  const { known, formKey, loadLatest } = useEditedRecord(
    clinic,
    () => administration.customer(clinic.id),
    (reply) => reply,
  );
  return (
    <DrawerForm title={t('edit')} dirty={dirty} onClose={onClose}>
      {(leave) => (
        <ClinicForm
          key={formKey}
          known={known}
          submit={t('save')}
          onDirty={setDirty}
          onCancel={leave}
          onLoadLatest={loadLatest}
          onSubmit={async (fields) => {
            const saved = await administration.updateCustomer({ ...fields, id: known.id, version: known.version });
            toast({ tone: 'good', text: t('saved', { name: saved.name }), close: t('shell:close') });
            onClose();
          }}
        />
      )}
    </DrawerForm>
  );
};

interface AddProps {
  readonly onClose: () => void;
  readonly onAdded: (clinic: Customer) => void;
}

export const AddClinic = ({ onClose, onAdded }: AddProps) => {
  const { t } = useTranslation(['clinics', 'shell']);
  const administration = useAdministration();
  const [dirty, setDirty] = useState(false);
  return (
    <DrawerForm title={t('add')} dirty={dirty} onClose={onClose}>
      {(leave) => (
        <ClinicForm
          known={null}
          submit={t('add')}
          onDirty={setDirty}
          onCancel={leave}
          onLoadLatest={null}
          onSubmit={async (fields) => {
            const added = await administration.createCustomer(fields);
            toast({ tone: 'good', text: t('added', { name: added.name }), close: t('shell:close') });
            onClose();
            onAdded(added);
          }}
        />
      )}
    </DrawerForm>
  );
};
