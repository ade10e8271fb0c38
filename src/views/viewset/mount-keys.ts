import type { Direction } from '../parts/slot-neighbours.ts';

/** Where a key was pressed. */
export type KeyPlace = 'mount' | 'tray' | 'elsewhere' | 'text';

/** What a key asks of the mount or the tray. */
export type MountKey =
  | { readonly type: 'step'; readonly direction: Direction }
  | { readonly type: 'end'; readonly end: 'first' | 'last' }
  | { readonly type: 'enter' }
  | { readonly type: 'digit'; readonly digit: string }
  | { readonly type: 'unmount' }
  | { readonly type: 'other-place' }
  | { readonly type: 'cut' }
  | { readonly type: 'paste' }
  | { readonly type: 'cancel' };

type Press = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>;

const moving: Readonly<Record<string, MountKey>> = {
  ArrowLeft: { type: 'step', direction: 'left' },
  ArrowRight: { type: 'step', direction: 'right' },
  ArrowUp: { type: 'step', direction: 'up' },
  ArrowDown: { type: 'step', direction: 'down' },
  Home: { type: 'end', end: 'first' },
  End: { type: 'end', end: 'last' },
  Enter: { type: 'enter' },
};

/**
 * The keys of the mount and its tray; null for all others, which belong to the image in hand. Keys that move or press are theirs only where
 * the focus is in them: elsewhere they work links and buttons.
 */
export const mountKeyOf = (press: Press, place: KeyPlace): MountKey | null => {
  if (place === 'text' || press.altKey || press.shiftKey) return null;
  const key = press.key.toLowerCase();
  if (press.ctrlKey || press.metaKey) return key === 'x' ? { type: 'cut' } : key === 'v' ? { type: 'paste' } : null;
  if (/^\d$/.test(key)) return { type: 'digit', digit: key };
  if (key === 'u') return { type: 'unmount' };
  if (key === 't') return { type: 'other-place' };
  if (key === 'escape') return { type: 'cancel' };
  return place === 'elsewhere' ? null : (moving[press.key] ?? null);
};
