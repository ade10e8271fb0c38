import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import classes from './auth-controls.module.css';

/** Class of a link that looks like the button. */
export const authButtonClass = classes.button;
/** Class of a link, or of a button that looks like one, below the button. */
export const authLinkClass = classes.link;

interface AuthButtonProps extends ComponentProps<'button'> {
  /** Busy: keeps its focus and size, and ignores presses. */
  readonly busy?: boolean;
  readonly secondary?: boolean;
}

/** The full-width button of sign-in and error pages. It does not need Mantine. */
export const AuthButton = ({ busy = false, secondary = false, onClick, children, ...rest }: AuthButtonProps) => (
  <button
    type="button"
    {...rest}
    className={classes.button}
    data-secondary={secondary || undefined}
    aria-busy={busy || undefined}
    aria-disabled={busy || undefined}
    onClick={(event) => {
      if (busy) event.preventDefault();
      else onClick?.(event);
    }}
  >
    <span className={classes.words}>{children}</span>
  </button>
);

interface AuthFieldProps extends Omit<ComponentProps<'input'>, 'size'> {
  readonly label: string;
  readonly help?: ReactNode;
  readonly error?: string | null;
  /** At the right of the label, such as a link. */
  readonly labelEnd?: ReactNode;
  /** Inside the field, at its end. */
  readonly inputEnd?: ReactNode;
}

/** A text field of the sign-in pages, with label and error text. */
export const AuthField = ({ label, help, error = null, labelEnd, inputEnd, ...rest }: AuthFieldProps) => {
  const id = useId();
  return (
    <div className={classes.field}>
      <div className={classes.top}>
        <label className={classes.label} htmlFor={id}>
          {label}
        </label>
        {labelEnd}
      </div>
      <div className={classes.box}>
        <input
          {...rest}
          id={id}
          className={classes.input}
          aria-invalid={error !== null || undefined}
          aria-describedby={error !== null ? `${id}-error` : help ? `${id}-help` : undefined}
        />
        {inputEnd}
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

/** A password field with a button to reveal it. */
export const AuthPasswordField = ({ showLabel, ...rest }: AuthFieldProps & { readonly showLabel: string }) => {
  const [shown, setShown] = useState(false);
  return (
    <AuthField
      {...rest}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      inputEnd={
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
