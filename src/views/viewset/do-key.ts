import { type Direction, inOrder, neighbourOf } from '../parts/slot-neighbours.ts';
import type { DeskTexts } from './desk-texts.ts';
import type { MountKey } from './mount-keys.ts';
import { itemOf } from './slot-geometry.ts';
import type { Desk } from './use-desk.ts';

/** The element that the Tab key would come to. */
export const focusIn = (place: '[data-mount]' | '[data-tray]'): void =>
  document.querySelector<HTMLElement>(`${place} [role=option][tabindex="0"]`)?.focus();

interface KeySetting {
  readonly desk: Desk;
  readonly inTray: boolean;
  readonly texts: DeskTexts;
  readonly onOpen: (imageUid: string) => void;
}

/** Does what a key asks for; false when it asks for nothing here, and others may hear it. */
export const doKey = (key: Exclude<MountKey, { type: 'digit' }>, setting: KeySetting): boolean =>
  setting.inTray ? doInTray(key, setting) : doInMount(key, setting);

type Key = Parameters<typeof doKey>[0];

const cancelCut = (desk: Desk): boolean => {
  if (!desk.cut) return false;
  desk.setCut(null);
  return true;
};

const doInTray = (key: Key, { desk }: KeySetting): boolean => {
  const tray = desk.viewset.detachedImages;
  const chosen = tray.findIndex(({ uid }) => uid === desk.trayImage);
  const choose = (at: number) => desk.chooseTray(tray[Math.min(tray.length - 1, Math.max(0, at))]?.uid ?? null);
  switch (key.type) {
    case 'step':
      if (key.direction === 'left') choose(chosen - 1);
      if (key.direction === 'right') choose(chosen + 1);
      return true;
    case 'end':
      choose(key.end === 'first' ? 0 : tray.length - 1);
      return true;
    case 'enter':
      if (desk.trayImage) desk.mount(desk.trayImage, null);
      return true;
    case 'other-place': {
      desk.zone.current = 'mount';
      if (!itemOf(desk.viewset, desk.slot)) desk.chooseSlot(inOrder(desk.viewset.viewSetItems)[0]?.itemIndex ?? null);
      focusIn('[data-mount]');
      return true;
    }
    case 'cut': {
      const image = tray[chosen];
      if (image) desk.setCut({ image, from: null });
      return image !== undefined;
    }
    case 'paste':
      if (desk.cut) desk.paste({ kind: 'tray' });
      return desk.cut !== null;
    case 'cancel':
      return cancelCut(desk);
    case 'unmount':
      return false;
  }
};

const doInMount = (key: Key, { desk, texts, onOpen }: KeySetting): boolean => {
  const slots = inOrder(desk.viewset.viewSetItems);
  const tray = desk.viewset.detachedImages;
  const selected = itemOf(desk.viewset, desk.slot);
  const hung = selected?.activeImage ? { image: selected.activeImage, from: selected.itemIndex } : null;
  const step = (direction: Direction) => (selected ? neighbourOf(slots, selected, direction) : (slots[0] ?? null));
  switch (key.type) {
    case 'step': {
      const next = step(key.direction);
      if (next) desk.chooseSlot(next.itemIndex);
      return true;
    }
    case 'end':
      desk.chooseSlot(slots.at(key.end === 'first' ? 0 : -1)?.itemIndex ?? null);
      return true;
    case 'enter':
      if (hung) onOpen(hung.image.uid);
      else if (selected && desk.trayImage) desk.mount(desk.trayImage, selected.itemIndex);
      return true;
    case 'other-place':
      if (tray.length === 0) {
        desk.say(texts.emptyTray);
        return true;
      }
      desk.zone.current = 'tray';
      if (!desk.trayImage) desk.chooseTray(tray[0]?.uid ?? null);
      if (desk.trayOpen) focusIn('[data-tray]');
      else {
        // The strip takes the focus as soon as it is there.
        desk.setTrayOpen(true);
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      }
      return true;
    case 'unmount':
      if (hung) desk.unmount(hung.from);
      return hung !== null;
    case 'cut':
      if (hung) desk.setCut(hung);
      return hung !== null;
    case 'paste':
      if (!desk.cut || !selected) return false;
      desk.paste({ kind: 'slot', itemIndex: selected.itemIndex });
      return true;
    case 'cancel':
      return cancelCut(desk);
  }
};
