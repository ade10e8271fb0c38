import { Tooltip } from '@mantine/core';
import { type FocusEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import classes from './tool-button.module.css';

/** Hover time before the tooltip is shown, in milliseconds. */
const restMs = 400;

/**
 * Controls a button's tooltip: shown on hover or keyboard focus, hidden by Escape.
 * `events` belong on the button. `shown` is null until first needed.
 */
const useTooltip = () => {
  const [shown, setShown] = useState<boolean | null>(null);
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hide = () => {
    clearTimeout(resting.current);
    setShown((known) => known && false);
  };
  useEffect(() => () => clearTimeout(resting.current), []);
  useEffect(() => {
    if (!shown) return undefined;
    const onKey = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      // Otherwise a pointer that has just entered shows it again.
      clearTimeout(resting.current);
      setShown(false);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [shown]);
  return {
    shown,
    events: {
      onPointerEnter: ({ pointerType }: PointerEvent) => {
        clearTimeout(resting.current);
        if (pointerType === 'mouse') resting.current = setTimeout(() => setShown(true), restMs);
      },
      onPointerLeave: hide,
      onFocus: ({ currentTarget }: FocusEvent) => {
        if (currentTarget.matches(':focus-visible')) setShown(true);
      },
      onBlur: hide,
    },
  };
};

interface ToolButtonProps {
  readonly label: string;
  /** Shortcut in `aria-keyshortcuts` syntax: "Shift+R", "Control+Z". */
  readonly shortcut?: string | undefined;
  /** The key as printed on the user's keyboard; `shortcut` when omitted. */
  readonly keyText?: string | undefined;
  readonly active?: boolean | undefined;
  readonly disabled?: boolean;
  /** Why it is disabled; shown in its tooltip. */
  readonly reason?: string | null;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** An icon button with a tooltip for label and shortcut. With a `reason` it is disabled but stays focusable. */
export const ToolButton = (props: ToolButtonProps) => {
  const { label, shortcut, keyText = shortcut, active, disabled = false, reason = null, onClick, children } = props;
  const button = useRef<HTMLButtonElement>(null);
  const hint = useTooltip();
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
      {/* The tooltip is created on demand, because a page has many of these buttons. */}
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
