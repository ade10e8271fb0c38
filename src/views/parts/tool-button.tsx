import { Tooltip } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import classes from './tool-button.module.css';
import { useHint } from './use-hint.ts';

interface ToolButtonProps {
  readonly label: string;
  /** The key that does the same, in the words of `aria-keyshortcuts`: "Shift+R", "Control+Z". */
  readonly shortcut?: string | undefined;
  /** The key as it is printed on the keyboard of the reader; as `shortcut` when left out. */
  readonly keyText?: string | undefined;
  readonly active?: boolean | undefined;
  readonly disabled?: boolean;
  /** Why it cannot be used now; said in its tooltip. */
  readonly reason?: string | null;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** An icon that says its name and its key when pointed at or focused. One that says why it is of no use now keeps its focus. */
export const ToolButton = (props: ToolButtonProps) => {
  const { label, shortcut, keyText = shortcut, active, disabled = false, reason = null, onClick, children } = props;
  const button = useRef<HTMLButtonElement>(null);
  const hint = useHint();
  return (
    <>
      <button
        ref={button}
        type="button"
        className={classes.button}
        aria-label={label}
        aria-keyshortcuts={shortcut}
        aria-pressed={active}
        aria-disabled={reason !== null || undefined}
        aria-description={reason ?? undefined}
        data-active={active || undefined}
        data-idle={reason !== null || undefined}
        disabled={disabled}
        onClick={() => {
          if (reason === null) onClick();
        }}
        {...hint.events}
      >
        {children}
      </button>
      {/* There are many of these on a page, and few are asked what they are. */}
      {hint.shown !== null && (
        <Tooltip
          target={button}
          opened={hint.shown}
          label={
            <>
              {label}
              {keyText && <kbd className={classes.key}>{keyText}</kbd>}
              {reason && <span className={classes.reason}>{reason}</span>}
            </>
          }
        />
      )}
    </>
  );
};
