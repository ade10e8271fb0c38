import '@mantine/core/styles/Radio.css';
import { Checkbox, NativeSelect, PasswordInput, Radio, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bounds } from '../../../contract/bounds.ts';
import type { Country } from '../../../contract/customers.ts';
import type { Role } from '../../../contract/roles.ts';
import type { Employee } from '../../../contract/users.ts';
import classes from '../forms/form.module.css';
import { FormFooter } from '../forms/form-footer.tsx';
import { PasswordRuleList, unmetRules, usePasswordErrorText } from '../forms/password-rules.tsx';
import { useFieldRules, useFormSubmit } from '../forms/use-form-submit.ts';
import { DateInput, useDateProblem } from '../language/date-input.tsx';
import { useRoleName } from '../language/role-name.ts';
import { today } from '../ui/dates.ts';
import { type PictureChange, PictureField } from './picture-field.tsx';
import { isNumberProblem, numberProblem, type UserValues, valuesOf } from './user-form.rules.ts';

interface UserFormProps {
  /** Null for a new user. */
  readonly known: Employee | null;
  /** Country whose personal number rules apply; null: any. */
  readonly country: Country | null;
  /** Roles that the signed-in user can assign. */
  readonly roles: readonly Role[];
  /** Why no role can be assigned; null when one can. */
  readonly rolesAway: string | null;
  /** Invitations are sent by e-mail; otherwise their links are shown. */
  readonly isMailed: boolean;
  /** The edited user is the signed-in user. */
  readonly isOneself: boolean;
  readonly submit: string;
  /** Rejects with the server's error. */
  readonly onSubmit: (values: UserValues, picture: PictureChange) => Promise<unknown>;
  readonly onDirty: (dirty: boolean) => void;
  readonly onCancel: () => void;
  readonly onLoadLatest: (() => void) | null;
}

const [, passwordMax] = bounds.password;
const numberHelp = { SE: 'personalNumberSE', DK: 'personalNumberDK', NO: 'personalNumberNO' } as const;
const plain = { autoComplete: 'off', spellCheck: false } as const;

/** Form for the details of a new or existing user. */
export const UserForm = (props: UserFormProps) => {
  const { known, country, roles, rolesAway, isMailed, isOneself, submit, onSubmit, onDirty, onCancel, onLoadLatest } =
    props;
  const { t } = useTranslation(['users', 'sign-in', 'failure']);
  const passwordErrorText = usePasswordErrorText();
  const roleName = useRoleName();
  const dateProblem = useDateProblem();
  const rules = useFieldRules();
  const [picture, setPicture] = useState<PictureChange>(null);
  const [typed, setTyped] = useState(false);
  useEffect(() => onDirty(typed || picture !== null), [typed, picture, onDirty]);
  const form = useForm<UserValues>({
    initialValues: valuesOf(known, country, roles, today()),
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
      hiredSince: (text) => (text.trim() === '' ? t('required') : dateProblem(text)),
      roles: (id) => (id === '' ? t('required') : null),
      azureUsername: rules.optional('azureUsername'),
      password: (text, { invites }) => {
        if (known || invites) return null;
        if (text === '') return t('required');
        return unmetRules(text).size > 0 ? t('passwordLacking') : null;
      },
    },
  });
  const { sending, submit: submitting } = useFormSubmit(form, setTyped, ({ fieldKey, vars }, code) => {
    if (code !== 'invalid-request') return null;
    if (fieldKey === 'personalNumber') return t(isNumberProblem(vars?.rule) ? `number-${vars.rule}` : 'number-refused');
    return fieldKey === 'password' ? passwordErrorText({ vars }) : null;
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
        <DateInput
          inForm
          label={t('hiredSince')}
          required
          {...form.getInputProps('hiredSince')}
          value={form.values.hiredSince}
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
          <Radio.Group
            label={t('firstSignIn')}
            value={form.values.invites ? 'invite' : 'password'}
            onChange={(value) => form.setFieldValue('invites', value === 'invite')}
          >
            <div className={classes.choices}>
              <Radio
                value="invite"
                label={t(isMailed ? 'invite' : 'inviteByLink')}
                description={t(isMailed ? 'inviteHelp' : 'inviteByLinkHelp')}
              />
              <Radio value="password" label={t('choosePassword')} />
            </div>
          </Radio.Group>
          {!form.values.invites && (
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
            </>
          )}
          <Checkbox
            label={t('activeLabel')}
            description={t('activeHelp')}
            {...form.getInputProps('isActive', { type: 'checkbox' })}
          />
        </>
      )}
      <FormFooter sending={{ ...sending, failure }} submit={submit} onCancel={onCancel} onLoadLatest={onLoadLatest} />
    </form>
  );
};
