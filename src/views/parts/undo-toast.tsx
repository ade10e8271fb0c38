import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import classes from './undo-toast.module.css';

interface UndoToast {
  readonly text: string;
  readonly undo: string;
  /** What the close button is called. */
  readonly close: string;
  readonly onUndo: () => void;
}

/** A line at the bottom left, for as long as a toast stays, with the way back in it. */
export const undoToast = ({ text, undo, close, onUndo }: UndoToast): void => {
  const id = crypto.randomUUID();
  notifications.show({
    id,
    color: 'gray',
    withCloseButton: true,
    closeButtonProps: { 'aria-label': close },
    message: (
      <span className={classes.line}>
        <span>{text}</span>
        <Button
          size="xs"
          variant="default"
          onClick={() => {
            notifications.hide(id);
            onUndo();
          }}
        >
          {undo}
        </Button>
      </span>
    ),
  });
};
