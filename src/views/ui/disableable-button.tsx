import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface DisableableButtonProps extends Pick<ButtonProps, 'leftSection' | 'variant' | 'color' | 'size'> {
  /** Why the button is disabled; null when it is enabled. */
  readonly reason: string | null;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** A button that stays focusable while disabled and shows the reason. */
export const DisableableButton = ({ reason, onClick, children, ...look }: DisableableButtonProps) => {
  const id = useId();
  return (
    <>
      <Tooltip
        label={reason}
        disabled={reason === null}
        multiline
        maw={320}
        events={{ hover: true, focus: true, touch: true }}
      >
        <Button
          {...look}
          data-disabled={reason === null ? undefined : true}
          aria-disabled={reason !== null}
          aria-describedby={reason === null ? undefined : id}
          onClick={(event) => (reason === null ? onClick() : event.preventDefault())}
        >
          {children}
        </Button>
      </Tooltip>
      {reason !== null && (
        <span id={id} hidden>
          {reason}
        </span>
      )}
    </>
  );
};
