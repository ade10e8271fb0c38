import { actionToast } from './action-toast.tsx';

interface UndoToast {
  readonly text: string;
  readonly undo: string;
  /** What the close button is called. */
  readonly close: string;
  /** Ctrl+Z does the same for as long as the toast stays, where this says so. */
  readonly byKey?: () => boolean;
  readonly onUndo: () => void;
}

/** A line at the bottom left, for as long as a toast stays, with the way back in it. */
export const undoToast = ({ text, undo, close, byKey, onUndo }: UndoToast): void =>
  actionToast({
    ...{ id: crypto.randomUUID(), text, action: undo, close, onAction: onUndo },
    ...(byKey && { undoKey: byKey }),
  });
