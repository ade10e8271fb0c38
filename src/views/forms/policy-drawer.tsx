import '@mantine/core/styles/NumberInput.css';
import { Checkbox, NumberInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type AccountPolicy, accountPolicy } from '../../../contract/account-policy.ts';
import { useAdministration } from '../app/loaded-services.ts';
import { DateInput } from '../language/date-input.tsx';
import { toast } from '../ui/toast.ts';
import { DrawerForm } from './drawer-form.tsx';
import classes from './form.module.css';
import { FormFooter } from './form-footer.tsx';
import { QueryFailed } from './query-failed.tsx';
import { useEditedRecord, useFormSubmit } from './use-form-submit.ts';

interface PolicyOwner {
  readonly kind: 'clinic' | 'role';
  readonly id: string;
  readonly name: string;
}

/** Numbers are empty texts while there is no limit. */
const valuesOf = (policy: AccountPolicy) => ({
  twoFactorFrom: policy.twoFactorFrom ?? '',
  minPasswordLength: policy.minPasswordLength as number | string,
  refuseCommonPasswords: policy.refuseCommonPasswords,
  idleMinutes: (policy.idleMinutes ?? '') as number | string,
  sessionHours: (policy.sessionHours ?? '') as number | string,
});
type Values = ReturnType<typeof valuesOf>;

const numberOf = (value: number | string): number | null => (value === '' ? null : Number(value));
const read = (values: Values) =>
  accountPolicy.safeParse({
    ...values,
    twoFactorFrom: values.twoFactorFrom === '' ? null : values.twoFactorFrom,
    minPasswordLength: numberOf(values.minPasswordLength),
    idleMinutes: numberOf(values.idleMinutes),
    sessionHours: numberOf(values.sessionHours),
  });

interface PolicyFormProps {
  readonly policy: AccountPolicy;
  readonly lead: string;
  readonly onSave: (policy: AccountPolicy) => Promise<unknown>;
  readonly onDirty: (dirty: boolean) => void;
  readonly onCancel: () => void;
  readonly onLoadLatest: () => void;
}

const PolicyForm = ({ policy, lead, onSave, onDirty, onCancel, onLoadLatest }: PolicyFormProps) => {
  const { t } = useTranslation(['policy', 'dates']);
  const form = useForm({
    initialValues: valuesOf(policy),
    validate: (values) => {
      const wrong = read(values).error?.issues.map(({ path }) => String(path[0])) ?? [];
      return Object.fromEntries(
        wrong.map((field) => [field, field === 'twoFactorFrom' ? t('dates:otherForm') : t('outOfRange')]),
      );
    },
  });
  const { sending, submit } = useFormSubmit(form, onDirty);
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={submit(async (values) => {
        const { data } = read(values);
        if (data) await onSave(data);
      })}
    >
      <p>{lead}</p>
      <DateInput
        inForm
        label={t('twoFactorFrom')}
        description={t('twoFactorFromHelp')}
        {...form.getInputProps('twoFactorFrom')}
        value={form.values.twoFactorFrom}
      />
      <NumberInput
        label={t('minPasswordLength')}
        min={6}
        max={100}
        allowDecimal={false}
        required
        {...form.getInputProps('minPasswordLength')}
      />
      <Checkbox
        label={t('refuseCommonPasswords')}
        description={t('refuseCommonPasswordsHelp')}
        {...form.getInputProps('refuseCommonPasswords', { type: 'checkbox' })}
      />
      <NumberInput
        label={t('idleMinutes')}
        description={t('idleMinutesHelp')}
        min={1}
        max={720}
        allowDecimal={false}
        {...form.getInputProps('idleMinutes')}
      />
      <NumberInput
        label={t('sessionHours')}
        description={t('sessionHoursHelp')}
        min={1}
        max={336}
        allowDecimal={false}
        {...form.getInputProps('sessionHours')}
      />
      <FormFooter sending={sending} submit={t('save')} onCancel={onCancel} onLoadLatest={onLoadLatest} />
    </form>
  );
};

interface LoadedPolicyProps {
  readonly owner: PolicyOwner;
  readonly first: AccountPolicy;
  readonly onDirty: (dirty: boolean) => void;
  readonly onCancel: () => void;
  readonly onClose: () => void;
}

const LoadedPolicy = ({ owner, first, onDirty, onCancel, onClose }: LoadedPolicyProps) => {
  const { t } = useTranslation(['policy', 'shell']);
  const administration = useAdministration();
  const { known, formKey, loadLatest } = useEditedRecord(
    first,
    () => administration.policy(owner.kind, owner.id),
    (reply) => reply,
  );
  return (
    <PolicyForm
      key={formKey}
      policy={known}
      lead={t(owner.kind === 'clinic' ? 'ofClinic' : 'ofRole', { name: owner.name })}
      onDirty={onDirty}
      onCancel={onCancel}
      onLoadLatest={loadLatest}
      onSave={async (policy) => {
        await administration.setPolicy(owner.kind, { id: owner.id, before: known, policy });
        toast({ tone: 'good', text: t('saved', { name: owner.name }), close: t('shell:close') });
        onClose();
      }}
    />
  );
};

/** Rules about sign-ins of a clinic or a role. */
export const PolicyDrawer = ({ owner, onClose }: { readonly owner: PolicyOwner; readonly onClose: () => void }) => {
  const { t } = useTranslation('policy');
  const [dirty, setDirty] = useState(false);
  // Never from the cache: a change is based on what is stored now.
  const query = { ...useAdministration().policy(owner.kind, owner.id), staleTime: 0, gcTime: 0 };
  const { data, error, refetch } = useQuery(query);
  return (
    <DrawerForm title={t('title')} dirty={dirty} onClose={onClose}>
      {(leave) => {
        if (data)
          return <LoadedPolicy owner={owner} first={data} onDirty={setDirty} onCancel={leave} onClose={onClose} />;
        return error ? <QueryFailed error={error} onRetry={() => void refetch()} /> : <div aria-busy="true" />;
      }}
    </DrawerForm>
  );
};
