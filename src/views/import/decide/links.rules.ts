import type { KeyboardEvent } from 'react';
import type { ImportDecision } from '../../../../contract/imports.ts';
import type { Slot } from '../../../../contract/viewsets.ts';
import type { Direction } from '../../ui/slot-neighbours.ts';

/** Command of a key on a slot or on a file in the tray. */
export type MoverKey =
  | { readonly type: 'press' }
  | { readonly type: 'cancel' }
  | { readonly type: 'take-out' }
  | { readonly type: 'step'; readonly direction: Direction }
  | { readonly type: 'end'; readonly end: 'first' | 'last' };

const keys: Readonly<Record<string, MoverKey>> = {
  Enter: { type: 'press' },
  ' ': { type: 'press' },
  Escape: { type: 'cancel' },
  Delete: { type: 'take-out' },
  Backspace: { type: 'take-out' },
  ArrowLeft: { type: 'step', direction: 'left' },
  ArrowRight: { type: 'step', direction: 'right' },
  ArrowUp: { type: 'step', direction: 'up' },
  ArrowDown: { type: 'step', direction: 'down' },
  Home: { type: 'end', end: 'first' },
  End: { type: 'end', end: 'last' },
};

/** Returns the command of a key; null for other keys and for keys with Ctrl, Meta or Alt. */
export const moverKeyOf = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): MoverKey | null =>
  ctrlKey || metaKey || altKey ? null : (keys[key] ?? null);

/** Assignment of files to slots: item index of the template -> file id. */
export type Links = ImportDecision['imagesHashMap'];

/** Returns the slot of a file; null when it is in the tray. */
export const slotOfFile = (links: Links, fileId: string): number | null => {
  const found = Object.entries(links).find(([, id]) => id === fileId);
  return found ? Number(found[0]) : null;
};

const without = (links: Links, itemIndex: number): Links =>
  Object.fromEntries(Object.entries(links).filter(([index]) => index !== String(itemIndex)));

/** Removes a file from its slot. */
export const takenOut = (links: Links, itemIndex: number): Links => without(links, itemIndex);

/**
 * Puts a file into a slot. A file already there moves to the slot of the new file, or to the tray when the new file
 * comes from there. A file is in at most one slot.
 */
export const putInto = (links: Links, fileId: string, itemIndex: number): Links => {
  const from = slotOfFile(links, fileId);
  if (from === itemIndex) return links;
  const there = links[String(itemIndex)];
  const rest = from === null ? links : without(links, from);
  return {
    ...rest,
    ...(from !== null && there !== undefined && { [String(from)]: there }),
    [String(itemIndex)]: fileId,
  };
};

/** Returns the links whose slot and file exist. */
export const linksWithin = (
  links: Links,
  slots: readonly Pick<Slot, 'itemIndex'>[],
  fileIds: ReadonlySet<string>,
): Links =>
  Object.fromEntries(
    Object.entries(links).filter(
      ([index, id]) => fileIds.has(id) && slots.some(({ itemIndex }) => String(itemIndex) === index),
    ),
  );

/** Returns true when slot and file name different teeth; unknown teeth never contradict. */
export const contradicts = (slotTeeth: readonly number[], fileTeeth: readonly number[]): boolean =>
  slotTeeth.length > 0 && fileTeeth.length > 0 && !slotTeeth.some((tooth) => fileTeeth.includes(tooth));
