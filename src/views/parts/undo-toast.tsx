import { notifications } from '@mantine/notifications';
import { actionToast } from './action-toast.tsx';

interface UndoToast {
  /** What was done something to. Of each thing its last move alone can be taken back: what stood of an earlier one goes. */
  readonly about?: string;
  readonly text: string;
  readonly undo: string;
  /** What the close button is called. */
  readonly close: string;
  /** Ctrl+Z does the same for as long as the toast stays, where this says so. */
  readonly byKey?: () => boolean;
  readonly onUndo: () => void;
}

const standing = new Map<string, string>();

/** A line at the bottom left, for as long as a toast stays, with the way back in it. */
export const undoToast = ({ about, text, undo, close, byKey, onUndo }: UndoToast): void => {
  const id = crypto.randomUUID();
  if (about !== undefined) {
    const before = standing.get(about);
    if (before) notifications.hide(before);
    standing.set(about, id);
  }
  // The same words without the way back.
  notifications.hide(text);
  actionToast({
    ...{ id, text, action: undo, close, onAction: onUndo },
    ...(byKey && { undoKey: byKey }),
  });
};
