import { ActionIcon, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './tool-button.module.css';

interface ToolButtonProps {
  readonly label: string;
  /** The key that does the same, as printed on it. */
  readonly shortcut?: string;
  readonly active?: boolean;
  readonly disabled?: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** An icon that says its name and its key when pointed at or focused. */
export const ToolButton = ({ label, shortcut, active, disabled = false, onClick, children }: ToolButtonProps) => (
  <Tooltip
    events={{ hover: true, focus: true, touch: false }}
    label={
      <>
        {label}
        {shortcut && <kbd className={classes.key}>{shortcut}</kbd>}
      </>
    }
  >
    <ActionIcon
      className={classes.button}
      variant="subtle"
      color="gray"
      aria-label={label}
      aria-keyshortcuts={shortcut}
      aria-pressed={active}
      data-active={active || undefined}
      disabled={disabled}
      onClick={onClick}
    >
      {children}
    </ActionIcon>
  </Tooltip>
);
