import { Button, PasswordInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { pinDigits } from '../../../contract/pins.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import classes from './two-factor.module.css';

const [least, most] = pinDigits;

interface PinFormProps {
  readonly hasPin: boolean;
  readonly busy: boolean;
  /** Text of the last error. */
  readonly error: string | null;
  readonly onSubmit: (pin: string) => void;
  readonly onRemove: () => void;
  readonly onCancel: () => void;
}

/** Asks for a new PIN, twice. */
export const PinForm = ({ hasPin, busy, error, onSubmit, onRemove, onCancel }: PinFormProps) => {
  const { t } = useTranslation(['two-factor', 'shell', 'sign-in']);
  const [pin, setPin] = useState('');
  const [again, setAgain] = useState('');
  const [wrong, setWrong] = useState<'pin' | 'again' | null>(null);
  const first = useRef<HTMLInputElement>(null);
  const second = useRef<HTMLInputElement>(null);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (pin.length < least) {
      setWrong('pin');
      first.current?.focus();
    } else if (pin !== again) {
      setWrong('again');
      second.current?.focus();
    } else {
      setWrong(null);
      onSubmit(pin);
    }
  };
  const shared = {
    required: true,
    inputMode: 'numeric',
    autoComplete: 'off',
    maxLength: most,
    visibilityToggleButtonProps: { 'aria-label': t('sign-in:showPassword') },
  } as const;
  const digitsOf = (event: { currentTarget: HTMLInputElement }) => event.currentTarget.value.replace(/\D/g, '');
  return (
    <form className={classes.step} noValidate onSubmit={send}>
      <p>{t('pinText')}</p>
      <PasswordInput
        {...shared}
        ref={first}
        label={t('newPin')}
        description={t('pinHelp', { least, most })}
        data-autofocus
        value={pin}
        error={wrong === 'pin' ? t('pinDigits', { least, most }) : null}
        onChange={(event) => setPin(digitsOf(event))}
      />
      <PasswordInput
        {...shared}
        ref={second}
        label={t('repeatPin')}
        value={again}
        error={wrong === 'again' ? t('pinsDiffer') : null}
        onChange={(event) => setAgain(digitsOf(event))}
      />
      <div aria-live="assertive">{error && <IconAlert>{error}</IconAlert>}</div>
      <div className={classes.buttons}>
        {hasPin && (
          <Button variant="default" onClick={onRemove}>
            {t('removePin')}
          </Button>
        )}
        <Button variant="default" onClick={onCancel}>
          {t('shell:cancel')}
        </Button>
        <Button type="submit" loading={busy}>
          {t('save')}
        </Button>
      </div>
    </form>
  );
};
