import { Button, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { bounds, dateOnly } from '../../../contract/bounds.ts';
import { IconAlert } from '../parts/icon-alert.tsx';
import { birthDateOf } from './birth-date.ts';
import classes from './new-patient.module.css';

export interface NewPatient {
  readonly firstName: string;
  readonly lastName: string;
  readonly personalNumber: string;
  readonly birthDate: string | null;
  readonly sex: 'F' | 'M' | 'O' | null;
  readonly comments: string | null;
}

interface NewPatientFormProps {
  readonly busy: boolean;
  readonly failure: string | null;
  readonly onSubmit: (patient: NewPatient) => void;
  readonly onCancel: () => void;
}

const sexes = ['F', 'M', 'O'] as const;

/** Who a new patient is. The birth date is read from the personal number as long as nobody wrote another. */
export const NewPatientForm = ({ busy, failure, onSubmit, onCancel }: NewPatientFormProps) => {
  const { t } = useTranslation('new-patient');
  const within = (name: 'firstName' | 'lastName' | 'personalNumber') => (value: string) => {
    const [min, max] = bounds[name];
    const length = value.trim().length;
    if (length === 0) return t('required');
    return length >= min && length <= max ? null : t('length', { min, max });
  };
  const form = useForm({
    initialValues: { firstName: '', lastName: '', personalNumber: '', birthDate: '', sex: '', comments: '' },
    validate: {
      firstName: within('firstName'),
      lastName: within('lastName'),
      personalNumber: within('personalNumber'),
      birthDate: (value) => (value === '' || dateOnly.safeParse(value).success ? null : t('dateInvalid')),
      comments: (value) =>
        value.trim().length > bounds.description[1] ? t('length', { min: 0, max: bounds.description[1] }) : null,
    },
  });
  const number = form.getInputProps('personalNumber');
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={form.onSubmit((values) =>
        onSubmit({
          firstName: values.firstName.trim(),
          lastName: values.lastName.trim(),
          personalNumber: values.personalNumber.trim(),
          birthDate: values.birthDate || null,
          sex: sexes.find((sex) => sex === values.sex) ?? null,
          comments: values.comments.trim() || null,
        }),
      )}
    >
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
        <TextInput
          label={t('birthDate')}
          description={t('dateInvalid')}
          placeholder="1985-04-23"
          autoComplete="off"
          {...form.getInputProps('birthDate')}
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
      <div aria-live="assertive">{failure && <IconAlert>{failure}</IconAlert>}</div>
      <div className={classes.answers}>
        <Button variant="default" onClick={onCancel}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={busy}>
          {t('submit')}
        </Button>
      </div>
    </form>
  );
};
