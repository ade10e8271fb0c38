import type { ImageInfo } from '../../../contract/images.ts';
import type { Viewset, ViewsetItem } from '../../../contract/viewsets.ts';
import type { ViewsetActor } from '../../machines/viewset/viewset.machine.ts';
import type { Target } from '../parts/use-carry.ts';
import type { Carried } from './carried.ts';
import type { DeskTexts } from './desk-texts.ts';
import { firstFree, itemOf, slotOfImage } from './slot-geometry.ts';

/** What this person may do with what hangs. */
export interface MountRights {
  /** Take an image out of its slot. */
  readonly detach: boolean;
  /** Move an image to another slot. */
  readonly move: boolean;
}

/** Every way of moving an image; mouse, fingers and keys all come here. */
export interface DeskDeeds {
  /** From the tray into a slot; null: the selected one if it is empty, else the first free one. */
  readonly mount: (imageUid: string, itemIndex: number | null) => void;
  readonly unmount: (itemIndex: number) => void;
  /** To another slot; what hangs there changes places with it. */
  readonly move: (from: number, to: number) => void;
  /** To a slot or to the tray, wherever it is now. */
  readonly bring: (what: Carried, target: Target) => void;
}

interface DeedOptions {
  readonly actor: Pick<ViewsetActor, 'send'>;
  readonly viewset: Viewset;
  readonly rights: MountRights;
  readonly slot: number | null;
  readonly trayImage: string | null;
  readonly texts: DeskTexts;
  readonly say: (text: string) => void;
  /** Says it and shows it: nothing was done. */
  readonly refuse: (text: string) => void;
}

/** The neighbour that steps in when an image of the tray is gone. */
const nextInTray = (tray: readonly ImageInfo[], imageUid: string): string | null => {
  const at = tray.findIndex(({ uid }) => uid === imageUid);
  return (tray[at + 1] ?? tray[at - 1])?.uid ?? null;
};

/** What can be done to a viewset by this person; each deed says what it did, or why it did nothing. */
export const deedsOn = (options: DeedOptions): DeskDeeds => {
  const { actor, viewset, rights, slot, trayImage, texts, say, refuse } = options;

  const slotFor = (itemIndex: number | null): ViewsetItem | null => {
    if (itemIndex !== null) return itemOf(viewset, itemIndex);
    const selected = itemOf(viewset, slot);
    return selected && !selected.activeImage ? selected : firstFree(viewset);
  };
  const mount = (imageUid: string, itemIndex: number | null) => {
    const item = slotFor(itemIndex);
    if (!item) return refuse(texts.noFreeSlot);
    // What hangs there would be taken out.
    if (item.activeImage && !rights.detach) return refuse(texts.mayNotDetach);
    const next = nextInTray(viewset.detachedImages, imageUid);
    actor.send({ type: 'image.mounted', imageUid, itemIndex: item.itemIndex });
    if (trayImage === imageUid) actor.send({ type: 'tray.selected', imageUid: next });
    say(item.activeImage ? texts.mountedOver(item) : texts.mounted(item));
  };
  const unmount = (itemIndex: number) => {
    const item = itemOf(viewset, itemIndex);
    if (!item?.activeImage) return;
    if (!rights.detach) return refuse(texts.mayNotDetach);
    actor.send({ type: 'image.unmounted', itemIndex });
    say(texts.unmounted(item));
  };
  const move = (from: number, to: number) => {
    const [source, target] = [itemOf(viewset, from), itemOf(viewset, to)];
    if (!source?.activeImage || !target || from === to) return;
    if (!rights.move) return refuse(texts.mayNotMove);
    actor.send({ type: 'image.reordered', from, to });
    actor.send({ type: 'slot.selected', itemIndex: to });
    say(target.activeImage ? texts.swapped(source, target) : texts.moved(source, target));
  };
  return {
    mount,
    unmount,
    move,
    bring: ({ image }, target) => {
      // Meanwhile somebody may have moved it: what counts is where it hangs now.
      const from = slotOfImage(viewset, image.uid)?.itemIndex ?? null;
      if (target.kind === 'slot')
        return from === null ? mount(image.uid, target.itemIndex) : move(from, target.itemIndex);
      if (from !== null) unmount(from);
    },
  };
};
