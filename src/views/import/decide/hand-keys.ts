import type { KeyboardEvent } from 'react';
import type { Direction } from '../../parts/slot-neighbours.ts';

/** What a key asks of a slot or of a file in the tray. */
export type HandKey =
  | { readonly type: 'press' }
  | { readonly type: 'give-up' }
  | { readonly type: 'take-out' }
  | { readonly type: 'step'; readonly direction: Direction }
  | { readonly type: 'end'; readonly end: 'first' | 'last' };

const keys: Readonly<Record<string, HandKey>> = {
  Enter: { type: 'press' },
  ' ': { type: 'press' },
  Escape: { type: 'give-up' },
  Delete: { type: 'take-out' },
  Backspace: { type: 'take-out' },
  ArrowLeft: { type: 'step', direction: 'left' },
  ArrowRight: { type: 'step', direction: 'right' },
  ArrowUp: { type: 'step', direction: 'up' },
  ArrowDown: { type: 'step', direction: 'down' },
  Home: { type: 'end', end: 'first' },
  End: { type: 'end', end: 'last' },
};

/** null for all other keys, and where a modifier makes another key of it. */
export const handKeyOf = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): HandKey | null =>
  ctrlKey || metaKey || altKey ? null : (keys[key] ?? null);
