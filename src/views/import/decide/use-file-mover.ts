import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { Slot } from '../../../../contract/viewsets.ts';
import { inOrder, neighbourOf } from '../../ui/slot-neighbours.ts';
import { type Drag, type Pointer, useDrag } from '../../ui/use-drag.ts';
import { type Links, type MoverKey, moverKeyOf, putInto, slotOfFile, takenOut } from './links.rules.ts';

/** The picked-up file and the slot it came from; null: the tray. */
export interface PickedFile {
  readonly fileId: string;
  readonly from: number | null;
}

/** Result of a move, for screen readers. Slot numbers are display numbers. */
export type MoveAnnouncement =
  | { readonly what: 'picked-up' }
  | { readonly what: 'cancelled' }
  | { readonly what: 'put'; readonly slot: number }
  | { readonly what: 'taken-out'; readonly slot: number }
  | { readonly what: 'swapped'; readonly slot: number; readonly with: number | null };

interface FileMoverOptions {
  readonly slots: readonly Slot[];
  readonly links: Links;
  /** Ids of the files in the tray in display order. */
  readonly tray: readonly string[];
  /** Element with the mount and its tray; drags that end outside are ignored. */
  readonly container: RefObject<HTMLElement | null>;
  readonly onLinks: (links: Links) => void;
}

export interface FileMover {
  /** Picked up by key or click; a file dragged by pointer is in `drag`. */
  readonly picked: PickedFile | null;
  readonly drag: Drag<PickedFile>;
  readonly announcement: MoveAnnouncement | null;
  readonly startDrag: (what: PickedFile, pointer: Pointer) => void;
  readonly pressSlot: (slot: Slot) => void;
  readonly pressFile: (fileId: string) => void;
  readonly onSlotKey: (event: KeyboardEvent, slot: Slot) => void;
  readonly onFileKey: (event: KeyboardEvent, fileId: string) => void;
}

const slotSelector = (itemIndex: number) => `[data-drop-slot="${itemIndex}"]`;
const fileSelector = (fileId: string) => `[data-file="${fileId}"]`;

/** Moves files between slots and tray by drag, by two clicks, or by keys. Each move reports new links. */
export const useFileMover = ({ slots, links, tray, container: scope, onLinks }: FileMoverOptions): FileMover => {
  const [picked, setPicked] = useState<PickedFile | null>(null);
  const [announcement, setAnnouncement] = useState<MoveAnnouncement | null>(null);
  /** Selector of the element to focus after the next render. */
  const focusTarget = useRef<string | null>(null);
  /** Ignores the click event that ends a drag. */
  const dragged = useRef(false);

  useEffect(() => {
    if (focusTarget.current === null) return;
    const element = scope.current?.querySelector<HTMLElement>(focusTarget.current);
    focusTarget.current = null;
    element?.focus();
  });
  const orderOf = (itemIndex: number) => slots.find((slot) => slot.itemIndex === itemIndex)?.order ?? itemIndex + 1;

  const put = (fileId: string, to: number) => {
    const from = slotOfFile(links, fileId);
    if (from === to) return;
    const isFilled = links[String(to)] !== undefined;
    onLinks(putInto(links, fileId, to));
    setAnnouncement(
      isFilled
        ? { what: 'swapped', slot: orderOf(to), with: from === null ? null : orderOf(from) }
        : { what: 'put', slot: orderOf(to) },
    );
  };
  const takeOut = (itemIndex: number) => {
    if (links[String(itemIndex)] === undefined) return;
    onLinks(takenOut(links, itemIndex));
    setAnnouncement({ what: 'taken-out', slot: orderOf(itemIndex) });
  };

  const drag = useDrag<PickedFile>({
    accepts: (what, target) => (target.kind === 'slot' ? what.from !== target.itemIndex : what.from !== null),
    onDrop: ({ fileId }, target) => {
      if (target.kind === 'slot') return put(fileId, target.itemIndex);
      const from = slotOfFile(links, fileId);
      if (from !== null) takeOut(from);
    },
    scope,
  });

  const take = (what: PickedFile) => {
    setPicked(what);
    setAnnouncement({ what: 'picked-up' });
  };
  const cancel = (): boolean => {
    if (!picked) return false;
    focusTarget.current = picked.from === null ? fileSelector(picked.fileId) : slotSelector(picked.from);
    setPicked(null);
    setAnnouncement({ what: 'cancelled' });
    return true;
  };
  /** After a file from the tray is placed, focus goes to the next file in the tray. */
  const drop = (to: number) => {
    if (!picked) return;
    const at = tray.indexOf(picked.fileId);
    const next = picked.from === null ? (tray[at + 1] ?? tray[at - 1] ?? links[String(to)]) : undefined;
    put(picked.fileId, to);
    setPicked(null);
    focusTarget.current = next === undefined || next === picked.fileId ? slotSelector(to) : fileSelector(next);
  };

  const pressSlot = (slot: Slot) => {
    const there = links[String(slot.itemIndex)];
    if (picked) drop(slot.itemIndex);
    else if (there !== undefined) take({ fileId: there, from: slot.itemIndex });
  };
  const pressFile = (fileId: string) => {
    if (picked?.fileId === fileId) return void cancel();
    take({ fileId, from: null });
    const free = inOrder(slots).find(({ itemIndex }) => links[String(itemIndex)] === undefined) ?? inOrder(slots)[0];
    if (free) focusTarget.current = slotSelector(free.itemIndex);
  };
  const focus = (selector: string) => scope.current?.querySelector<HTMLElement>(selector)?.focus();
  /** Returns false when the key has no meaning here, so that the event propagates. */
  const handleSlotKey = (key: MoverKey, slot: Slot): boolean => {
    const ordered = inOrder(slots);
    const focusSlot = (to: Slot | null | undefined) => to && focus(slotSelector(to.itemIndex));
    if (key.type === 'press') pressSlot(slot);
    else if (key.type === 'step') focusSlot(neighbourOf(ordered, slot, key.direction));
    else if (key.type === 'end') focusSlot(ordered.at(key.end === 'first' ? 0 : -1));
    else if (key.type === 'cancel') return cancel();
    else {
      if (picked) return false;
      takeOut(slot.itemIndex);
      focusTarget.current = slotSelector(slot.itemIndex);
    }
    return true;
  };
  const handleTrayKey = (key: MoverKey, fileId: string): boolean => {
    const focusFile = (at: number) => focus(fileSelector(tray[Math.max(0, Math.min(tray.length - 1, at))] ?? fileId));
    const at = tray.indexOf(fileId);
    if (key.type === 'press') pressFile(fileId);
    else if (key.type === 'cancel') return cancel();
    else if (key.type === 'end') focusFile(key.end === 'first' ? 0 : tray.length - 1);
    else if (key.type === 'step' && key.direction === 'left') focusFile(at - 1);
    else if (key.type === 'step' && key.direction === 'right') focusFile(at + 1);
    else return false;
    return true;
  };
  const handleKey = (event: KeyboardEvent, run: (key: MoverKey) => boolean) => {
    const key = moverKeyOf(event);
    if (!key || !run(key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const unlessDragged = (press: () => void) => {
    if (!dragged.current) press();
    dragged.current = false;
  };

  return {
    picked,
    drag,
    announcement,
    startDrag: (what, pointer) => {
      dragged.current = true;
      const forget = () => {
        dragged.current = false;
      };
      window.addEventListener('pointerdown', forget, { once: true, capture: true });
      setPicked(null);
      drag.start(what, pointer);
    },
    pressSlot: (slot) => unlessDragged(() => pressSlot(slot)),
    pressFile: (fileId) => unlessDragged(() => pressFile(fileId)),
    onSlotKey: (event, slot) => handleKey(event, (key) => handleSlotKey(key, slot)),
    onFileKey: (event, fileId) => handleKey(event, (key) => handleTrayKey(key, fileId)),
  };
};
