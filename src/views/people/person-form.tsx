import { Checkbox, NativeSelect, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bounds } from '../../../contract/bounds.ts';
import type { Country } from '../../../contract/customers.ts';
import type { Role } from '../../../contract/roles.ts';
import type { Employee } from '../../../contract/users.ts';
import { useFieldRules } from '../forms/field-rules.ts';
import classes from '../forms/form.module.css';
import { FormEnd } from '../forms/form-end.tsx';
import { PasswordRuleList, ruleTexts } from '../forms/password-rule-list.tsx';
import { passwordRules, unmetRules } from '../forms/password-rules.ts';
import { useSending } from '../forms/use-sending.ts';
import { useDateWords } from '../language/date-words.ts';
import { useRoleName } from '../language/role-name.ts';
import { DateField } from '../parts/date-field.tsx';
import { isNumberProblem, numberProblem, type PersonValues, valuesOf } from './person-form.rules.ts';
import { type PictureChange, PictureField } from './picture-field.tsx';

interface PersonFormProps {
  /** Null for somebody new. */
  readonly known: Employee | null;
  /** By whose rules a personal number is written; null: of any country. */
  readonly country: Country | null;
  /** Roles that may be given here. */
  readonly roles: readonly Role[];
  /** Why there are no roles to give, in words; null when there are. */
  readonly rolesAway: string | null;
  /** It is the person at the screen. */
  readonly isOneself: boolean;
  readonly submit: string;
  /** Rejects with what the archive refused. */
  readonly onSubmit: (values: PersonValues, picture: PictureChange) => Promise<unknown>;
  readonly onDirty: (dirty: boolean) => void;
  readonly onCancel: () => void;
  readonly onLoadTheirs: (() => void) | null;
}

const [passwordMin, passwordMax] = bounds.password;
const numberHelp = { SE: 'personalNumberSE', DK: 'personalNumberDK', NO: 'personalNumberNO' } as const;
const plain = { autoComplete: 'off', spellCheck: false } as const;

/** Who a person is to the archive, new or known. */
export const PersonForm = (props: PersonFormProps) => {
  const { known, country, roles, rolesAway, isOneself, submit, onSubmit, onDirty, onCancel, onLoadTheirs } = props;
  const { t } = useTranslation(['people', 'password', 'sign-in', 'failure']);
  const roleName = useRoleName();
  const dates = useDateWords();
  const rules = useFieldRules();
  const [picture, setPicture] = useState<PictureChange>(null);
  const [typed, setTyped] = useState(false);
  useEffect(() => onDirty(typed || picture !== null), [typed, picture, onDirty]);
  const form = useForm<PersonValues>({
    initialValues: valuesOf(known, country, roles, new Date().toLocaleDateString('sv-SE')),
    validate: {
      firstName: rules.required('firstName'),
      lastName: rules.required('lastName'),
      email: rules.email,
      telephone: rules.required('phone'),
      personalNumber: (text) => {
        if (text.trim() === '') return t('required');
        const problem = numberProblem(text, country, known?.personalNumber ?? null);
        return problem && t(`number-${problem}`);
      },
      hiredSince: (text) => (text.trim() === '' ? t('required') : dates.problem(text)),
      roles: (id) => (id === '' ? t('required') : null),
      azureUsername: rules.optional('azureUsername'),
      password: (text) => {
        if (known) return null;
        if (text === '') return t('required');
        return unmetRules(text).size > 0 ? t('passwordLacking') : null;
      },
    },
  });
  const { sending, submit: submitting } = useSending(form, setTyped, ({ fieldKey, vars }, code) => {
    if (code !== 'invalid-request') return null;
    if (fieldKey === 'personalNumber') return t(isNumberProblem(vars?.rule) ? `number-${vars.rule}` : 'number-refused');
    const rule = passwordRules.find((one) => one === vars?.rule);
    return fieldKey === 'password' && rule
      ? t(`password:${ruleTexts[rule]}`, { min: passwordMin, max: passwordMax })
      : null;
  });
  const offered = known && !roles.some(({ id }) => id === known.role.id) ? [known.role, ...roles] : roles;
  const roleStays = isOneself || (known !== null && offered.length === 1);
  const { firstName, lastName } = form.values;
  const reason = sending.failure;
  const failure = reason !== null && !known ? t('createFailed', { reason }) : reason;
  return (
    <form className={classes.form} noValidate onSubmit={submitting((values) => onSubmit(values, picture))}>
      <PictureField
        name={`${firstName} ${lastName}`.trim()}
        saved={known?.picture ?? null}
        change={picture}
        onChange={setPicture}
      />
      <div className={classes.pair}>
        <TextInput label={t('firstName')} required data-autofocus {...plain} {...form.getInputProps('firstName')} />
        <TextInput label={t('lastName')} required {...plain} {...form.getInputProps('lastName')} />
      </div>
      <TextInput
        label={t('email')}
        description={t('emailHelp')}
        required
        type="email"
        {...plain}
        {...form.getInputProps('email')}
      />
      <TextInput label={t('telephone')} required type="tel" {...plain} {...form.getInputProps('telephone')} />
      <div className={classes.pair}>
        <TextInput
          label={t('personalNumber')}
          description={t(country ? numberHelp[country] : 'personalNumberAny')}
          required
          inputMode="numeric"
          {...plain}
          {...form.getInputProps('personalNumber')}
        />
        <DateField
          label={t('hiredSince')}
          help={dates.shape}
          required
          words={dates}
          {...form.getInputProps('hiredSince')}
          value={form.values.hiredSince}
          onOther={(typed) => form.setFieldValue('hiredSince', typed)}
        />
      </div>
      <NativeSelect
        label={t('role')}
        required
        disabled={roleStays}
        {...form.getInputProps('roles')}
        description={isOneself ? t('ownRole') : undefined}
        error={form.errors.roles ?? rolesAway}
        data={[
          ...(form.values.roles === '' ? [{ value: '', label: t('roleChoose'), disabled: true }] : []),
          ...offered.map(({ id, name }) => ({ value: id, label: roleName(name) })),
        ]}
      />
      <TextInput
        label={t('azureUsername')}
        description={t('azureUsernameHelp')}
        {...plain}
        {...form.getInputProps('azureUsername')}
      />
      {!known && (
        <>
          <PasswordInput
            label={t('password')}
            required
            autoComplete="new-password"
            maxLength={passwordMax}
            visibilityToggleButtonProps={{ 'aria-label': t('sign-in:showPassword') }}
            {...form.getInputProps('password')}
          />
          <PasswordRuleList password={form.values.password} />
          <Checkbox
            label={t('mayUse')}
            description={t('mayUseHelp')}
            {...form.getInputProps('isActive', { type: 'checkbox' })}
          />
        </>
      )}
      <FormEnd sending={{ ...sending, failure }} submit={submit} onCancel={onCancel} onLoadTheirs={onLoadTheirs} />
    </form>
  );
};
