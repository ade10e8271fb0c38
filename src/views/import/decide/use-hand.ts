import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { Slot } from '../../../../contract/viewsets.ts';
import { type Direction, inOrder, neighbourOf } from '../../parts/slot-neighbours.ts';
import { type Carry, type Pointer, useCarry } from '../../parts/use-carry.ts';
import { type Links, putInto, slotOfFile, takenOut } from './links.rules.ts';

/** A file that a person holds, and the slot that it comes from; null: the tray. */
export interface Held {
  readonly fileId: string;
  readonly from: number | null;
}

/** What was done, for those who hear the page. Numbers are those of the slots. */
export type Said =
  | { readonly what: 'held' }
  | { readonly what: 'given-up' }
  | { readonly what: 'put'; readonly slot: number }
  | { readonly what: 'taken-out'; readonly slot: number }
  | { readonly what: 'swapped'; readonly slot: number; readonly with: number | null };

interface HandOptions {
  readonly slots: readonly Slot[];
  readonly links: Links;
  /** Ids of the files in the tray, as they are shown. */
  readonly tray: readonly string[];
  /** The mount and its tray: what is carried elsewhere is not taken. */
  readonly room: RefObject<HTMLElement | null>;
  readonly onLinks: (links: Links) => void;
}

export interface Hand {
  /** By key or click; what a pointer drags is in `carry`. */
  readonly held: Held | null;
  readonly carry: Carry<Held>;
  readonly said: Said | null;
  readonly startCarry: (what: Held, pointer: Pointer) => void;
  readonly pressSlot: (slot: Slot) => void;
  readonly pressFile: (fileId: string) => void;
  readonly onSlotKey: (event: KeyboardEvent, slot: Slot) => void;
  readonly onFileKey: (event: KeyboardEvent, fileId: string) => void;
}

const directions: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

/** Moving files between slots and tray: by drag, by click and click, and by keys. Every way ends in new links. */
export const useHand = ({ slots, links, tray, room, onLinks }: HandOptions): Hand => {
  const [held, setHeld] = useState<Held | null>(null);
  const [said, setSaid] = useState<Said | null>(null);
  /** The element that has the focus once it is drawn: `data-drop-slot` or `data-file`. */
  const wanted = useRef<string | null>(null);
  /** The click that ends a drag is no press. */
  const dragged = useRef(false);

  useEffect(() => {
    if (wanted.current === null) return;
    const element = room.current?.querySelector<HTMLElement>(wanted.current);
    wanted.current = null;
    element?.focus();
  });
  const goToSlot = (itemIndex: number) => {
    wanted.current = `[data-drop-slot="${itemIndex}"]`;
  };
  const goToFile = (fileId: string) => {
    wanted.current = `[data-file="${fileId}"]`;
  };
  const orderOf = (itemIndex: number) => slots.find((slot) => slot.itemIndex === itemIndex)?.order ?? itemIndex + 1;

  const put = (fileId: string, to: number) => {
    const from = slotOfFile(links, fileId);
    if (from === to) return;
    const isFilled = links[String(to)] !== undefined;
    onLinks(putInto(links, fileId, to));
    setSaid(
      isFilled
        ? { what: 'swapped', slot: orderOf(to), with: from === null ? null : orderOf(from) }
        : { what: 'put', slot: orderOf(to) },
    );
  };
  const takeOut = (itemIndex: number) => {
    if (links[String(itemIndex)] === undefined) return;
    onLinks(takenOut(links, itemIndex));
    setSaid({ what: 'taken-out', slot: orderOf(itemIndex) });
  };

  const carry = useCarry<Held>({
    accepts: (what, target) => (target.kind === 'tray' ? what.from !== null : what.from !== target.itemIndex),
    onDrop: ({ fileId }, target) => {
      if (target.kind === 'slot') return put(fileId, target.itemIndex);
      const from = slotOfFile(links, fileId);
      if (from !== null) takeOut(from);
    },
    room,
  });

  const take = (what: Held) => {
    setHeld(what);
    setSaid({ what: 'held' });
  };
  const giveUp = () => {
    if (!held) return;
    if (held.from === null) goToFile(held.fileId);
    else goToSlot(held.from);
    setHeld(null);
    setSaid({ what: 'given-up' });
  };
  /** From the tray the next file is at hand afterwards: a mount is filled file after file. */
  const drop = (to: number) => {
    if (!held) return;
    const at = tray.indexOf(held.fileId);
    const next = held.from === null ? (tray[at + 1] ?? tray[at - 1] ?? links[String(to)]) : undefined;
    put(held.fileId, to);
    setHeld(null);
    if (next === undefined || next === held.fileId) goToSlot(to);
    else goToFile(next);
  };

  const pressSlot = (slot: Slot) => {
    const there = links[String(slot.itemIndex)];
    if (held) drop(slot.itemIndex);
    else if (there !== undefined) take({ fileId: there, from: slot.itemIndex });
  };
  const pressFile = (fileId: string) => {
    if (held?.fileId === fileId) return giveUp();
    take({ fileId, from: null });
    const free = inOrder(slots).find(({ itemIndex }) => links[String(itemIndex)] === undefined) ?? inOrder(slots)[0];
    if (free) goToSlot(free.itemIndex);
  };
  const afterDrag = (press: () => void) => () => {
    if (!dragged.current) press();
    dragged.current = false;
  };
  const isPress = ({ key }: KeyboardEvent) => key === 'Enter' || key === ' ';
  const cancels = ({ key }: KeyboardEvent) => key === 'Escape' && held !== null;
  const heard = (event: KeyboardEvent) => {
    event.preventDefault();
    event.stopPropagation();
  };

  return {
    held,
    carry,
    said,
    startCarry: (what, pointer) => {
      dragged.current = true;
      window.addEventListener('pointerdown', () => (dragged.current = false), { once: true, capture: true });
      setHeld(null);
      carry.start(what, pointer);
    },
    pressSlot: (slot) => afterDrag(() => pressSlot(slot))(),
    pressFile: (fileId) => afterDrag(() => pressFile(fileId))(),
    onSlotKey: (event, slot) => {
      const direction = directions[event.key];
      const ordered = inOrder(slots);
      const next = direction
        ? neighbourOf(ordered, slot, direction)
        : event.key === 'Home'
          ? ordered[0]
          : event.key === 'End'
            ? ordered.at(-1)
            : undefined;
      if (cancels(event)) giveUp();
      else if (isPress(event)) pressSlot(slot);
      else if (event.key === 'Delete' || event.key === 'Backspace') {
        if (held) return;
        takeOut(slot.itemIndex);
        goToSlot(slot.itemIndex);
      } else if (next !== undefined) {
        if (next) room.current?.querySelector<HTMLElement>(`[data-drop-slot="${next.itemIndex}"]`)?.focus();
      } else return;
      heard(event);
    },
    onFileKey: (event, fileId) => {
      const at = tray.indexOf(fileId);
      const steps: Readonly<Record<string, number>> = {
        ArrowLeft: at - 1,
        ArrowRight: at + 1,
        Home: 0,
        End: tray.length - 1,
      };
      const step = steps[event.key];
      if (cancels(event)) giveUp();
      else if (isPress(event)) pressFile(fileId);
      else if (step !== undefined) {
        const next = tray[Math.max(0, Math.min(tray.length - 1, step))];
        if (next) room.current?.querySelector<HTMLElement>(`[data-file="${next}"]`)?.focus();
      } else return;
      heard(event);
    },
  };
};
