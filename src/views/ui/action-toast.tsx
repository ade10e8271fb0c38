import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Link } from 'wouter';
import { newId } from '../../../contract/new-id.ts';
import classes from './action-toast.module.css';

interface ActionToast {
  /** A toast with the same id is not shown twice. */
  readonly id: string;
  readonly text: string;
  /** Link to the record. */
  readonly link?: { readonly text: string; readonly href: string } | undefined;
  /** Label of the button. */
  readonly action: string;
  /** Label of the close button. */
  readonly close: string;
  /** Stays until answered. */
  readonly isPersistent?: boolean;
  /** Returns whether Ctrl+Z (⌘Z on a Mac) triggers the action now, outside text fields. */
  readonly undoKey?: () => boolean;
  readonly onAction: () => void;
}

const isMac = () => /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Listens for the undo key. Returns a function that stops it. */
const onUndoKey = (isEnabled: () => boolean, undo: () => void): (() => void) => {
  const listen = (event: KeyboardEvent) => {
    const isUndo =
      event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
    const writes =
      event.target instanceof Element && event.target.closest('input, textarea, [contenteditable]') !== null;
    if (!isUndo || writes || !isEnabled()) return;
    event.preventDefault();
    // Only the newest toast reacts.
    event.stopImmediatePropagation();
    undo();
  };
  window.addEventListener('keydown', listen, { capture: true });
  return () => window.removeEventListener('keydown', listen, { capture: true });
};

/** Shows a toast with an action button. */
export const actionToast = ({
  id,
  text,
  link,
  action,
  close,
  isPersistent = false,
  undoKey,
  onAction,
}: ActionToast): void => {
  const act = () => {
    notifications.hide(id);
    onAction();
  };
  const removeKeyListener = undoKey ? onUndoKey(undoKey, act) : () => {};
  notifications.show({
    id,
    color: 'gray',
    onClose: removeKeyListener,
    ...(isPersistent && { autoClose: false }),
    withCloseButton: true,
    closeButtonProps: { 'aria-label': close },
    message: (
      <span className={classes.line}>
        <span>
          {text}
          {link && (
            <>
              {' '}
              <Link href={link.href} className={classes.link} onClick={() => notifications.hide(id)}>
                {link.text}
              </Link>
            </>
          )}
        </span>
        <Button size="xs" variant="default" aria-keyshortcuts={undoKey && 'Control+Z Meta+Z'} onClick={act}>
          {action}
          {undoKey && (
            // biome-ignore lint/a11y/noAriaHiddenOnFocusable: it takes no focus; aria-keyshortcuts announces the key
            <kbd className={classes.key} aria-hidden="true">
              {isMac() ? '⌘Z' : 'Ctrl+Z'}
            </kbd>
          )}
        </Button>
      </span>
    ),
  });
};

interface UndoToast {
  /** Key of the changed record: a newer toast about it replaces the older one. */
  readonly about?: string;
  readonly text: string;
  readonly link?: { readonly text: string; readonly href: string };
  readonly undo: string;
  /** Label of the close button. */
  readonly close: string;
  /** Returns whether Ctrl+Z undoes while the toast is shown. */
  readonly byKey?: () => boolean;
  readonly onUndo: () => void;
}

const shownToasts = new Map<string, string>();

/** Shows a toast with an undo button. */
export const undoToast = ({ about, text, link, undo, close, byKey, onUndo }: UndoToast): void => {
  const id = newId();
  if (about !== undefined) {
    const before = shownToasts.get(about);
    if (before) notifications.hide(before);
    shownToasts.set(about, id);
  }
  // Hide the toast with the same text and no undo.
  notifications.hide(text);
  actionToast({
    id,
    text,
    link,
    action: undo,
    close,
    onAction: onUndo,
    ...(byKey && { undoKey: byKey }),
  });
};
