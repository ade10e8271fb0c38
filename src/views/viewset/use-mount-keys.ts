import { useEffect, useRef, useState } from 'react';
import { useDeskTexts } from './desk-texts.ts';
import { doKey, focusIn } from './do-key.ts';
import { type KeyPlace, mountKeyOf } from './mount-keys.ts';
import { createTypedNumber } from './typed-number.ts';
import type { Desk } from './use-desk.ts';

const foreign =
  'input, textarea, select, [contenteditable], [role=dialog], [role=menu], [role=combobox], [role=slider]';

const placeOf = (target: EventTarget | null, desk: Desk): KeyPlace => {
  if (!(target instanceof Element) || target === document.body) return desk.zone.current;
  if (target.closest(foreign)) return 'text';
  if (target.closest('[data-tray]')) return 'tray';
  return target.closest('[data-mount]') || target instanceof HTMLCanvasElement ? 'mount' : 'elsewhere';
};

interface MountKeysOptions {
  /** null: no mount is shown. */
  readonly desk: Desk | null;
  readonly onOpen: (imageUid: string) => void;
}

/**
 * The mount and its tray by keyboard. Heard before the stage and the page hear it, for an arrow on a mount goes to the next slot.
 * Gives back the digits typed so far.
 */
export const useMountKeys = ({ desk, onOpen }: MountKeysOptions): string => {
  const texts = useDeskTexts();
  const [typed, setTyped] = useState('');
  const latest = useRef({ desk, onOpen, texts });
  useEffect(() => {
    latest.current = { desk, onOpen, texts };
  });
  const shown = desk !== null;

  useEffect(() => {
    if (!shown) return;
    const number = createTypedNumber({
      largest: () => Math.max(0, ...(latest.current.desk?.viewset.viewSetItems.map(({ order }) => order) ?? [])),
      onNumber: (value) => {
        const { desk: now, texts: words } = latest.current;
        if (!now) return;
        const item = now.viewset.viewSetItems.find(({ order }) => order === value);
        if (!item) return now.say(words.noSuchSlot(value));
        if (now.zone.current === 'tray' && now.trayImage) return now.mount(now.trayImage, item.itemIndex);
        now.chooseSlot(item.itemIndex);
      },
      onTyping: setTyped,
    });
    const listen = (event: KeyboardEvent) => {
      const { desk: now } = latest.current;
      if (!now || event.defaultPrevented) return;
      const place = placeOf(event.target, now);
      if (place === 'mount' || place === 'tray') now.zone.current = place;
      const key = mountKeyOf(event, place);
      if (!key) return;
      if (key.type === 'digit') number.type(key.digit);
      else {
        const done =
          key.type === 'enter' ? number.finish() : key.type === 'cancel' ? number.clear() : void number.clear();
        if (!done && !doKey(key, { ...latest.current, desk: now, inTray: place === 'tray' })) return;
      }
      event.preventDefault();
      event.stopPropagation();
    };
    document.addEventListener('keydown', listen, true);
    return () => {
      document.removeEventListener('keydown', listen, true);
      number.clear();
    };
  }, [shown]);

  // The last image has left the tray, and took the focus with it.
  const trayIsEmpty = desk?.viewset.detachedImages.length === 0;
  useEffect(() => {
    const now = latest.current.desk;
    if (!trayIsEmpty || !now || now.zone.current !== 'tray') return;
    now.zone.current = 'mount';
    if (document.activeElement === document.body) focusIn('[data-mount]');
  }, [trayIsEmpty]);
  return typed;
};
