import { Checkbox, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { bounds } from '../../../contract/bounds.ts';
import { DateInput, useDateProblem } from '../language/date-input.tsx';
import { useRecordFailureText } from '../language/failure-text.ts';
import { today } from '../ui/dates.ts';
import { birthDateOf } from './birth-date.ts';
import classes from './form.module.css';
import { FormFooter } from './form-footer.tsx';
import { type FormDraft, RestoredDraftNote, useStoredDraft } from './stored-draft.tsx';
import { useFormSubmit } from './use-form-submit.ts';

/** Editable fields of a patient. */
export interface PatientFields {
  readonly firstName: string;
  readonly lastName: string;
  readonly personalNumber: string;
  readonly birthDate: string | null;
  readonly sex: 'F' | 'M' | 'O' | null;
  readonly comments: string | null;
  readonly protectedIdentity: boolean;
}

interface PatientFormProps {
  /** Null for a new patient. */
  readonly known: PatientFields | null;
  readonly submit: string;
  /** Whether the user may remove the mark of a protected identity. */
  readonly canUnprotect: boolean;
  /** Rejects with the server's error. */
  readonly onSubmit: (patient: PatientFields) => Promise<unknown>;
  readonly onDirty: (dirty: boolean) => void;
  readonly onCancel: () => void;
  readonly onLoadLatest: (() => void) | null;
  /** Stores the input until it is saved or discarded. */
  readonly draft: FormDraft;
}

const sexes = ['F', 'M', 'O'] as const;

const valuesOf = (known: PatientFields | null) => ({
  firstName: known?.firstName ?? '',
  lastName: known?.lastName ?? '',
  personalNumber: known?.personalNumber ?? '',
  birthDate: known?.birthDate ?? '',
  sex: known?.sex ?? '',
  comments: known?.comments ?? '',
  protectedIdentity: known?.protectedIdentity ?? false,
});

/** Form of a new or existing patient. The birth date follows the personal number until it is edited. */
export const PatientForm = (props: PatientFormProps) => {
  const { known, submit, canUnprotect, onSubmit, onDirty, onCancel, onLoadLatest, draft } = props;
  const { t } = useTranslation('new-patient');
  const dateProblem = useDateProblem();
  const within = (name: 'firstName' | 'lastName' | 'personalNumber') => (value: string) => {
    const [min, max] = bounds[name];
    const length = value.trim().length;
    if (length === 0) return t('required');
    return length >= min && length <= max ? null : t('length', { min, max });
  };
  const form = useForm({
    initialValues: valuesOf(known),
    validate: {
      firstName: within('firstName'),
      lastName: within('lastName'),
      personalNumber: within('personalNumber'),
      birthDate: dateProblem,
      comments: (value) =>
        value.trim().length > bounds.description[1] ? t('length', { min: 0, max: bounds.description[1] }) : null,
    },
  });
  const { restoredDraft, discard } = useStoredDraft(draft, form);
  const { sending, submit: submitting } = useFormSubmit(form, onDirty, undefined, useRecordFailureText());
  const number = form.getInputProps('personalNumber');
  const isLocked = known?.protectedIdentity === true && !canUnprotect;
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={submitting((values) =>
        onSubmit({
          firstName: values.firstName.trim(),
          lastName: values.lastName.trim(),
          personalNumber: values.personalNumber.trim(),
          birthDate: values.birthDate || null,
          sex: sexes.find((sex) => sex === values.sex) ?? null,
          comments: values.comments.trim() || null,
          protectedIdentity: values.protectedIdentity,
        }),
      )}
    >
      <RestoredDraftNote
        restoredDraft={restoredDraft}
        nameOf={(field) => t(field)}
        textOf={(field, value) => {
          const sex = field === 'sex' && sexes.find((one) => one === value);
          return sex ? t(sex) : String(value ?? '');
        }}
        onDiscardDraft={discard}
      />
      <div className={classes.pair}>
        <TextInput
          label={t('firstName')}
          required
          data-autofocus
          autoComplete="off"
          {...form.getInputProps('firstName')}
        />
        <TextInput label={t('lastName')} required autoComplete="off" {...form.getInputProps('lastName')} />
      </div>
      <div className={classes.pair}>
        <TextInput
          label={t('personalNumber')}
          description={t('personalNumberHelp')}
          required
          autoComplete="off"
          inputMode="numeric"
          {...number}
          onChange={(event) => {
            const before = birthDateOf(form.values.personalNumber);
            const after = birthDateOf(event.currentTarget.value);
            if (after && (form.values.birthDate === '' || form.values.birthDate === before))
              form.setFieldValue('birthDate', after);
            number.onChange(event);
          }}
        />
        <DateInput
          inForm
          label={t('birthDate')}
          max={today()}
          level="decade"
          {...form.getInputProps('birthDate')}
          value={form.values.birthDate}
        />
      </div>
      <div>
        <p className={classes.label}>{t('sex')}</p>
        <SegmentedControl
          fullWidth
          aria-label={t('sex')}
          data={[...sexes.map((value) => ({ value, label: t(value) })), { value: '', label: t('unknown') }]}
          {...form.getInputProps('sex')}
        />
      </div>
      <Textarea label={t('comments')} autosize minRows={2} maxRows={5} {...form.getInputProps('comments')} />
      <Checkbox
        label={t('protectedIdentity')}
        description={t(isLocked ? 'protectedIdentityLocked' : 'protectedIdentityHelp')}
        disabled={isLocked}
        {...form.getInputProps('protectedIdentity', { type: 'checkbox' })}
      />
      <FormFooter sending={sending} submit={submit} onCancel={onCancel} onLoadLatest={onLoadLatest} />
    </form>
  );
};
