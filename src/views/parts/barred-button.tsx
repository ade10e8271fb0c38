import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface BarredButtonProps extends Pick<ButtonProps, 'leftSection' | 'variant' | 'color' | 'size'> {
  /** Why it does nothing for this person, in words; null: it works. */
  readonly reason: string | null;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** A button that stays where it is and can be reached when it does nothing, and says why. */
export const BarredButton = ({ reason, onClick, children, ...look }: BarredButtonProps) => {
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
