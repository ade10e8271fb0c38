import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import classes from './action-toast.module.css';

interface ActionToast {
  /** The same one is never there twice. */
  readonly id: string;
  readonly text: string;
  /** What the button says. */
  readonly action: string;
  /** What the close button is called. */
  readonly close: string;
  /** Until it is answered, instead of as long as a toast stays. */
  readonly stays?: boolean;
  readonly onAction: () => void;
}

/** A line at the bottom left with something to do about it. */
export const actionToast = ({ id, text, action, close, stays = false, onAction }: ActionToast): void => {
  notifications.show({
    id,
    color: 'gray',
    ...(stays && { autoClose: false }),
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
            onAction();
          }}
        >
          {action}
        </Button>
      </span>
    ),
  });
};
