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
  /** Ctrl+Z (on a Mac ⌘Z) outside text fields does the same as the button, while the toast is there and this says so. */
  readonly undoKey?: () => boolean;
  readonly onAction: () => void;
}

const isMac = () => /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Hears the key of undoing until it is told to stop. */
const onUndoKey = (mayHear: () => boolean, undo: () => void): (() => void) => {
  const listen = (event: KeyboardEvent) => {
    const isUndo =
      event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
    const writes =
      event.target instanceof Element && event.target.closest('input, textarea, [contenteditable]') !== null;
    if (!isUndo || writes || !mayHear()) return;
    event.preventDefault();
    // Of several toasts the newest alone.
    event.stopImmediatePropagation();
    undo();
  };
  window.addEventListener('keydown', listen, { capture: true });
  return () => window.removeEventListener('keydown', listen, { capture: true });
};

/** A line at the bottom left with something to do about it. */
export const actionToast = ({ id, text, action, close, stays = false, undoKey, onAction }: ActionToast): void => {
  const act = () => {
    notifications.hide(id);
    onAction();
  };
  const deaf = undoKey ? onUndoKey(undoKey, act) : () => {};
  notifications.show({
    id,
    color: 'gray',
    onClose: deaf,
    ...(stays && { autoClose: false }),
    withCloseButton: true,
    closeButtonProps: { 'aria-label': close },
    message: (
      <span className={classes.line}>
        <span>{text}</span>
        <Button size="xs" variant="default" aria-keyshortcuts={undoKey && 'Control+Z Meta+Z'} onClick={act}>
          {action}
          {undoKey && (
            // biome-ignore lint/a11y/noAriaHiddenOnFocusable: it takes no focus; the key is told by aria-keyshortcuts
            <kbd className={classes.key} aria-hidden="true">
              {isMac() ? '⌘Z' : 'Ctrl+Z'}
            </kbd>
          )}
        </Button>
      </span>
    ),
  });
};
