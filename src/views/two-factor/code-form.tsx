import { Button, TextInput } from '@mantine/core';
import { useSelector } from '@xstate/react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  selectIsChecking,
  selectTwoFactorFailure,
  type TwoFactorActor,
} from '../../machines/two-factor/two-factor.machine.ts';
import { useFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import classes from './two-factor.module.css';

interface CodeFormProps {
  readonly actor: TwoFactorActor;
  readonly label: string;
  readonly help?: string;
  readonly submit: string;
  /** Message for failures other than a wrong code. */
  readonly failed: string;
  /** Six digits are submitted when complete. */
  readonly digitsOnly?: boolean;
  readonly danger?: boolean;
  /** Cancel button and its label. */
  readonly back: { readonly label: string; readonly onBack: () => void };
}

/** Length of a TOTP code (RFC 6238). */
const codeDigits = 6;
const bare = (code: string) => code.replaceAll(/\s/g, '');
const isWhole = (code: string) => new RegExp(`^\\d{${codeDigits}}$`).test(bare(code));

/** Asks for a code; a wrong one is reported at the field. */
export const CodeForm = (props: CodeFormProps) => {
  const { actor, label, help, submit, failed, digitsOnly = false, danger = false, back } = props;
  const failureText = useFailureText();
  const { t } = useTranslation('two-factor');
  const [code, setCode] = useState('');
  const [lacks, setLacks] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const checking = useSelector(actor, selectIsChecking);
  const failure = useSelector(actor, selectTwoFactorFailure);
  const isAtField = failure?.kind === 'refused' && ['incorrect-code', 'too-many-requests'].includes(failure.code);
  useEffect(() => {
    if (failure) field.current?.select();
  }, [failure]);
  const send = (text: string) => actor.send({ type: 'code.submitted', code: bare(text) });
  const error = () => {
    if (lacks) return t('codeNeeded');
    return isAtField && !checking ? failureText(failure) : null;
  };
  return (
    <form
      className={classes.step}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setLacks(code.trim() === '');
        if (code.trim() === '') field.current?.focus();
        else send(code);
      }}
    >
      <TextInput
        ref={field}
        className={classes.code}
        label={label}
        description={help}
        data-autofocus
        autoComplete="one-time-code"
        inputMode={digitsOnly ? 'numeric' : 'text'}
        spellCheck={false}
        maxLength={40}
        readOnly={checking}
        error={error()}
        value={code}
        onChange={({ currentTarget: { value } }) => {
          setCode(value);
          setLacks(false);
          if (digitsOnly && isWhole(value) && bare(value) !== bare(code)) send(value);
        }}
      />
      <div aria-live="assertive">
        {failure && !isAtField && !checking && (
          <IconAlert>
            {failed} {failureText(failure)}
          </IconAlert>
        )}
      </div>
      <div className={classes.buttons}>
        <Button variant="default" disabled={checking} onClick={back.onBack}>
          {back.label}
        </Button>
        <Button type="submit" loading={checking} {...(danger && { color: 'red.9' })}>
          {submit}
        </Button>
      </div>
    </form>
  );
};
