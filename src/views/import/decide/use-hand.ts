import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { Slot } from '../../../../contract/viewsets.ts';
import { inOrder, neighbourOf } from '../../parts/slot-neighbours.ts';
import { type Carry, type Pointer, useCarry } from '../../parts/use-carry.ts';
import { type HandKey, handKeyOf } from './hand-keys.ts';
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

const slotPlace = (itemIndex: number) => `[data-drop-slot="${itemIndex}"]`;
const filePlace = (fileId: string) => `[data-file="${fileId}"]`;

/** Moving files between slots and tray: by drag, by click and click, and by keys. Every way ends in new links. */
export const useHand = ({ slots, links, tray, room, onLinks }: HandOptions): Hand => {
  const [held, setHeld] = useState<Held | null>(null);
  const [said, setSaid] = useState<Said | null>(null);
  /** The place that has the focus once it is drawn. */
  const wanted = useRef<string | null>(null);
  /** The click that ends a drag is no press. */
  const dragged = useRef(false);

  useEffect(() => {
    if (wanted.current === null) return;
    const element = room.current?.querySelector<HTMLElement>(wanted.current);
    wanted.current = null;
    element?.focus();
  });
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
  const giveUp = (): boolean => {
    if (!held) return false;
    wanted.current = held.from === null ? filePlace(held.fileId) : slotPlace(held.from);
    setHeld(null);
    setSaid({ what: 'given-up' });
    return true;
  };
  /** From the tray the next file is at hand afterwards: a mount is filled file after file. */
  const drop = (to: number) => {
    if (!held) return;
    const at = tray.indexOf(held.fileId);
    const next = held.from === null ? (tray[at + 1] ?? tray[at - 1] ?? links[String(to)]) : undefined;
    put(held.fileId, to);
    setHeld(null);
    wanted.current = next === undefined || next === held.fileId ? slotPlace(to) : filePlace(next);
  };

  const pressSlot = (slot: Slot) => {
    const there = links[String(slot.itemIndex)];
    if (held) drop(slot.itemIndex);
    else if (there !== undefined) take({ fileId: there, from: slot.itemIndex });
  };
  const pressFile = (fileId: string) => {
    if (held?.fileId === fileId) return void giveUp();
    take({ fileId, from: null });
    const free = inOrder(slots).find(({ itemIndex }) => links[String(itemIndex)] === undefined) ?? inOrder(slots)[0];
    if (free) wanted.current = slotPlace(free.itemIndex);
  };
  const focus = (place: string) => room.current?.querySelector<HTMLElement>(place)?.focus();
  /** false: the key asks for nothing here, and others may hear it. */
  const doOnSlot = (key: HandKey, slot: Slot): boolean => {
    const ordered = inOrder(slots);
    const lead = (to: Slot | null | undefined) => to && focus(slotPlace(to.itemIndex));
    if (key.type === 'press') pressSlot(slot);
    else if (key.type === 'step') lead(neighbourOf(ordered, slot, key.direction));
    else if (key.type === 'end') lead(ordered.at(key.end === 'first' ? 0 : -1));
    else if (key.type === 'give-up') return giveUp();
    else {
      if (held) return false;
      takeOut(slot.itemIndex);
      wanted.current = slotPlace(slot.itemIndex);
    }
    return true;
  };
  const doInTray = (key: HandKey, fileId: string): boolean => {
    const lead = (at: number) => focus(filePlace(tray[Math.max(0, Math.min(tray.length - 1, at))] ?? fileId));
    const at = tray.indexOf(fileId);
    if (key.type === 'press') pressFile(fileId);
    else if (key.type === 'give-up') return giveUp();
    else if (key.type === 'end') lead(key.end === 'first' ? 0 : tray.length - 1);
    else if (key.type === 'step' && key.direction === 'left') lead(at - 1);
    else if (key.type === 'step' && key.direction === 'right') lead(at + 1);
    else return false;
    return true;
  };
  const hear = (event: KeyboardEvent, doKey: (key: HandKey) => boolean) => {
    const key = handKeyOf(event);
    if (!key || !doKey(key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const unlessDragged = (press: () => void) => {
    if (!dragged.current) press();
    dragged.current = false;
  };

  return {
    held,
    carry,
    said,
    startCarry: (what, pointer) => {
      dragged.current = true;
      const forget = () => {
        dragged.current = false;
      };
      window.addEventListener('pointerdown', forget, { once: true, capture: true });
      setHeld(null);
      carry.start(what, pointer);
    },
    pressSlot: (slot) => unlessDragged(() => pressSlot(slot)),
    pressFile: (fileId) => unlessDragged(() => pressFile(fileId)),
    onSlotKey: (event, slot) => hear(event, (key) => doOnSlot(key, slot)),
    onFileKey: (event, fileId) => hear(event, (key) => doInTray(key, fileId)),
  };
};
