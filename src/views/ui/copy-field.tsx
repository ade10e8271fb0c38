import { Button, TextInput } from '@mantine/core';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs';
import { useEffect, useRef, useState } from 'react';
import classes from './copy-field.module.css';

interface CopyFieldProps {
  readonly label: string;
  readonly description: string;
  readonly value: string;
  /** Labels of the button before and after copying. */
  readonly copy: string;
  readonly copied: string;
  /** Focuses the text when it appears, where it replaces the form that had the focus. */
  readonly takesFocus?: boolean;
}

/** A read-only text with a copy button. Selects the text when the clipboard is unavailable, as on pages without HTTPS. */
export const CopyField = ({ label, description, value, copy, copied, takesFocus = false }: CopyFieldProps) => {
  const field = useRef<HTMLInputElement>(null);
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (takesFocus) field.current?.focus();
  }, [takesFocus]);
  const copyValue = async () => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(value);
      setIsCopied(true);
    } catch {
      setIsCopied(false);
    }
  };
  return (
    <div className={classes.field}>
      <TextInput
        ref={field}
        label={label}
        description={description}
        readOnly
        value={value}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button
        variant="default"
        leftSection={isCopied ? <IconCheck aria-hidden="true" /> : <IconCopy aria-hidden="true" />}
        onClick={() => void copyValue()}
        onBlur={() => setIsCopied(false)}
      >
        <span aria-live="polite">{isCopied ? copied : copy}</span>
      </Button>
    </div>
  );
};
