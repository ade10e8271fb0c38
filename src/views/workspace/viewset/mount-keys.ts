import { arrowDirections, type Direction, inOrder, neighbourOf } from '../../ui/slot-neighbours.ts';
import { itemOf } from './mount-actions.ts';
import type { MountTexts } from './mount-texts.ts';
import type { MountController } from './use-mount-controller.ts';

/** Where a key was pressed. */
export type KeyZone = 'mount' | 'tray' | 'elsewhere' | 'text';

/** Meaning of a key in the mount or tray. */
type MountKey =
  | { readonly type: 'step'; readonly direction: Direction }
  | { readonly type: 'end'; readonly end: 'first' | 'last' }
  | { readonly type: 'enter' }
  | { readonly type: 'digit'; readonly digit: string }
  | { readonly type: 'unmount' }
  | { readonly type: 'place-all' }
  | { readonly type: 'other-zone' }
  | { readonly type: 'cut' }
  | { readonly type: 'paste' }
  | { readonly type: 'cancel' };

type Press = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>;

const moving: Readonly<Record<string, MountKey>> = {
  Home: { type: 'end', end: 'first' },
  End: { type: 'end', end: 'last' },
  Enter: { type: 'enter' },
};

/**
 * Returns the meaning of a key in the mount or tray; null for keys of the active image. Navigation and Enter count only while
 * the focus is inside, because elsewhere they operate links and buttons.
 */
export const mountKeyOf = (press: Press, zone: KeyZone): MountKey | null => {
  const key = press.key.toLowerCase();
  if (zone === 'text' || press.altKey) return null;
  if (press.shiftKey) return key === 'm' && !press.ctrlKey && !press.metaKey ? { type: 'place-all' } : null;
  if (press.ctrlKey || press.metaKey) return key === 'x' ? { type: 'cut' } : key === 'v' ? { type: 'paste' } : null;
  if (/^\d$/.test(key)) return { type: 'digit', digit: key };
  if (key === 'u') return { type: 'unmount' };
  if (key === 't') return { type: 'other-zone' };
  if (key === 'escape') return { type: 'cancel' };
  if (zone === 'elsewhere') return null;
  const direction = arrowDirections[press.key];
  return direction ? { type: 'step', direction } : (moving[press.key] ?? null);
};

/** Focuses the selected slot or image: the one in the tab order. */
export const focusIn = (zone: '[data-mount]' | '[data-tray]'): void =>
  document.querySelector<HTMLElement>(`${zone} [role=option][tabindex="0"]`)?.focus();

interface KeyContext {
  readonly controller: MountController;
  readonly inTray: boolean;
  readonly texts: MountTexts;
  readonly onOpen: (imageUid: string) => void;
}

/** Executes a key; returns false when it has no meaning here, so that others may handle it. */
export const runMountKey = (key: Exclude<MountKey, { type: 'digit' }>, context: KeyContext): boolean => {
  if (key.type !== 'place-all') return context.inTray ? doInTray(key, context) : doInMount(key, context);
  context.controller.placeAll?.();
  return true;
};

type Key = Exclude<MountKey, { type: 'digit' | 'place-all' }>;

const cancelCut = (controller: MountController): boolean => {
  if (!controller.cut) return false;
  controller.setCut(null);
  return true;
};

const doInTray = (key: Key, { controller }: KeyContext): boolean => {
  const tray = controller.viewset.detachedImages;
  const chosen = tray.findIndex(({ uid }) => uid === controller.trayImage);
  const choose = (at: number) => controller.chooseTray(tray[Math.min(tray.length - 1, Math.max(0, at))]?.uid ?? null);
  switch (key.type) {
    case 'step':
      if (key.direction === 'left') choose(chosen - 1);
      if (key.direction === 'right') choose(chosen + 1);
      return true;
    case 'end':
      choose(key.end === 'first' ? 0 : tray.length - 1);
      return true;
    case 'enter':
      if (controller.trayImage) controller.mount(controller.trayImage, null);
      return true;
    case 'other-zone': {
      controller.focusZone.current = 'mount';
      if (!itemOf(controller.viewset, controller.slot))
        controller.chooseSlot(inOrder(controller.viewset.viewSetItems)[0]?.itemIndex ?? null);
      focusIn('[data-mount]');
      return true;
    }
    case 'cut': {
      const image = tray[chosen];
      if (image) controller.setCut({ image, from: null });
      return image !== undefined;
    }
    case 'paste':
      if (controller.cut) controller.paste({ kind: 'tray' });
      return controller.cut !== null;
    case 'cancel':
      return cancelCut(controller);
    case 'unmount':
      return false;
  }
};

const doInMount = (key: Key, { controller, texts, onOpen }: KeyContext): boolean => {
  const slots = inOrder(controller.viewset.viewSetItems);
  const tray = controller.viewset.detachedImages;
  const selected = itemOf(controller.viewset, controller.slot);
  const mounted = selected?.activeImage ? { image: selected.activeImage, from: selected.itemIndex } : null;
  const step = (direction: Direction) => (selected ? neighbourOf(slots, selected, direction) : (slots[0] ?? null));
  switch (key.type) {
    case 'step': {
      const next = step(key.direction);
      if (next) controller.chooseSlot(next.itemIndex);
      return true;
    }
    case 'end':
      controller.chooseSlot(slots.at(key.end === 'first' ? 0 : -1)?.itemIndex ?? null);
      return true;
    case 'enter':
      if (mounted) onOpen(mounted.image.uid);
      else if (selected && controller.trayImage) controller.mount(controller.trayImage, selected.itemIndex);
      return true;
    case 'other-zone':
      if (tray.length === 0) {
        controller.announce(texts.emptyTray);
        return true;
      }
      controller.focusZone.current = 'tray';
      if (!controller.trayImage) controller.chooseTray(tray[0]?.uid ?? null);
      if (controller.trayOpen) focusIn('[data-tray]');
      else {
        // The strip takes the focus once it is rendered.
        controller.setTrayOpen(true);
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      }
      return true;
    case 'unmount':
      if (mounted) controller.unmount(mounted.from);
      return mounted !== null;
    case 'cut':
      if (mounted) controller.setCut(mounted);
      return mounted !== null;
    case 'paste':
      if (!controller.cut) return false;
      if (!selected) {
        controller.reject(texts.chooseSlot);
        return true;
      }
      controller.paste({ kind: 'slot', itemIndex: selected.itemIndex });
      return true;
    case 'cancel':
      return cancelCut(controller);
  }
};
