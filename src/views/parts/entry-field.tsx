import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import classes from './entry-field.module.css';

interface EntryFieldProps extends Omit<ComponentProps<'input'>, 'size'> {
  readonly label: string;
  readonly help?: ReactNode;
  readonly error?: string | null;
  /** What stands at the right of the label: a link, say. */
  readonly aside?: ReactNode;
  /** What stands inside the field, at its end. */
  readonly inside?: ReactNode;
}

/** A field of an entry page: its name above, what is wrong below. */
export const EntryField = ({ label, help, error = null, aside, inside, ...rest }: EntryFieldProps) => {
  const id = useId();
  return (
    <div className={classes.field}>
      <div className={classes.top}>
        <label className={classes.label} htmlFor={id}>
          {label}
        </label>
        {aside}
      </div>
      <div className={classes.box}>
        <input
          {...rest}
          id={id}
          className={classes.input}
          aria-invalid={error !== null || undefined}
          aria-describedby={error !== null ? `${id}-error` : help ? `${id}-help` : undefined}
        />
        {inside}
      </div>
      {help && error === null && (
        <div className={classes.help} id={`${id}-help`}>
          {help}
        </div>
      )}
      <div aria-live="polite">
        {error !== null && (
          <p className={classes.error} id={`${id}-error`}>
            <IconAlertTriangle aria-hidden="true" />
            <span>{error}</span>
          </p>
        )}
      </div>
    </div>
  );
};

/** A password, hidden until its person wants to read it. */
export const EntryPassword = ({ showLabel, ...rest }: EntryFieldProps & { readonly showLabel: string }) => {
  const [shown, setShown] = useState(false);
  return (
    <EntryField
      {...rest}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      inside={
        <button
          type="button"
          className={classes.eye}
          aria-label={showLabel}
          aria-pressed={shown}
          title={showLabel}
          onClick={() => setShown(!shown)}
        >
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M3 12c2.4-4 5.4-6 9-6s6.6 2 9 6c-2.4 4-5.4 6-9 6s-6.6-2-9-6Z" />
            <circle cx="12" cy="12" r="2.6" />
            {!shown && <path d="M4.5 19.500l15-15" />}
          </svg>
        </button>
      }
    />
  );
};
