import { useSelector } from '@xstate/react';
import { type RefObject, useRef, useState } from 'react';
import type { Viewset } from '../../../contract/viewsets.ts';
import {
  selectSelectedSlot,
  selectSelectedTrayImage,
  selectShownViewset,
  type ViewsetActor,
} from '../../machines/viewset/viewset.machine.ts';
import { useStoredFlag } from '../parts/stored-state.ts';
import { type Carry, type Target, useCarry } from '../parts/use-carry.ts';
import type { Carried } from './carried.ts';
import { type DeskDeeds, deedsOn, type MountRights } from './desk-deeds.ts';
import { useDeskTexts } from './desk-texts.ts';

export type Zone = 'mount' | 'tray';

/** The viewset on the table: what is chosen, cut or carried, and what can be done. */
export interface Desk extends Omit<DeskDeeds, 'bring'> {
  readonly viewset: Viewset;
  /** Index of the selected slot. */
  readonly slot: number | null;
  /** Uid of the chosen image of the tray. */
  readonly trayImage: string | null;
  readonly trayOpen: boolean;
  readonly setTrayOpen: (open: boolean) => void;
  readonly cut: Carried | null;
  readonly carry: Carry<Carried>;
  /** What happened last, for those who hear the page. */
  readonly said: string;
  /** Where the keyboard last was: an element that goes takes the focus with it, and leaves nothing behind. */
  readonly zone: RefObject<Zone>;
  readonly say: (text: string) => void;
  readonly chooseSlot: (itemIndex: number | null) => void;
  readonly chooseTray: (imageUid: string | null) => void;
  /** Takes note of an image to be moved by `paste`; null: of none. */
  readonly setCut: (what: Carried | null) => void;
  readonly paste: (target: Target) => void;
}

interface DeskOptions {
  readonly actor: ViewsetActor;
  readonly rights: MountRights;
  /** Shows why something was not done. */
  readonly onRefused: (text: string) => void;
}

/** What a person has before them of the open viewset; null while none is open. */
export const useDesk = ({ actor, rights, onRefused }: DeskOptions): Desk | null => {
  const texts = useDeskTexts();
  const viewset = useSelector(actor, selectShownViewset);
  const slot = useSelector(actor, selectSelectedSlot);
  const trayImage = useSelector(actor, selectSelectedTrayImage);
  const [trayOpen, setTrayOpen] = useStoredFlag('dentarium.tray', true);
  const [cut, setCut] = useState<Carried | null>(null);
  const [said, setSaid] = useState('');
  const zone = useRef<Zone>('mount');

  // The same words twice are heard twice: a space makes them new.
  const say = (text: string) => setSaid((before) => (before === text ? `${text} ` : text));
  const refuse = (text: string) => {
    say(text);
    onRefused(text);
  };
  const deeds = viewset && deedsOn({ actor, viewset, rights, slot, trayImage, texts, say, refuse });
  const carry = useCarry<Carried>({
    accepts: (what, target) => (target.kind === 'tray' ? what.from !== null : what.from !== target.itemIndex),
    onDrop: (what, target) => deeds?.bring(what, target),
  });
  if (!viewset || !deeds) return null;
  return {
    mount: deeds.mount,
    unmount: deeds.unmount,
    move: deeds.move,
    viewset,
    slot,
    trayImage,
    trayOpen,
    setTrayOpen,
    cut,
    carry,
    said,
    zone,
    say,
    chooseSlot: (itemIndex) => actor.send({ type: 'slot.selected', itemIndex }),
    chooseTray: (imageUid) => actor.send({ type: 'tray.selected', imageUid }),
    setCut: (what) => {
      setCut(what);
      if (what) say(texts.cut);
    },
    paste: (target) => {
      if (!cut) return;
      setCut(null);
      deeds.bring(cut, target);
    },
  };
};
