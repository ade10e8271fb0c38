import { useEffect, useEffectEvent, useState } from 'react';
import { focusIn, type KeyZone, mountKeyOf, runMountKey } from './mount-keys.ts';
import { useMountTexts } from './mount-texts.ts';
import type { MountController } from './use-mount-controller.ts';

/** Time for typing a second digit. */
export const secondDigitMs = 700;

interface TypedNumber {
  /** Adds a digit. */
  readonly type: (digit: string) => void;
  /** Completes the number; returns false when nothing was typed. */
  readonly finish: () => boolean;
  /** Discards the number; returns false when nothing was typed. */
  readonly clear: () => boolean;
}

interface TypedNumberOptions {
  /** Returns the largest valid number. */
  readonly largest: () => number;
  /** Called when a number is complete: at two digits, when no second can follow, or after the time limit. */
  readonly onNumber: (value: number) => void;
  /** Called with the digits typed so far; empty when none. */
  readonly onTyping: (text: string) => void;
}

/** Combines key presses into numbers of one or two digits. */
export const createTypedNumber = ({ largest, onNumber, onTyping }: TypedNumberOptions): TypedNumber => {
  let text = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const clear = () => {
    clearTimeout(timer);
    if (text === '') return false;
    text = '';
    onTyping('');
    return true;
  };
  const finish = () => {
    const value = Number(text);
    const typed = clear();
    if (value > 0) onNumber(value);
    return typed;
  };
  return {
    type: (digit) => {
      clearTimeout(timer);
      text += digit;
      // A leading 0 alone is no number; 03 is 3.
      const mayGrow = text.length === 1 && (text === '0' || Number(text) * 10 <= largest());
      if (!mayGrow) return void finish();
      onTyping(text);
      timer = setTimeout(finish, secondDigitMs);
    },
    finish,
    clear,
  };
};

const foreign =
  'input, textarea, select, [contenteditable], [role=dialog], [role=menu], [role=combobox], [role=slider], [data-tooth-history]';

const zoneOf = (target: EventTarget | null, controller: MountController): KeyZone => {
  if (!(target instanceof Element) || target === document.body) return controller.focusZone.current;
  if (target.closest(foreign)) return 'text';
  if (target.closest('[data-tray]')) return 'tray';
  return target.closest('[data-mount]') || target instanceof HTMLCanvasElement ? 'mount' : 'elsewhere';
};

const consume = (event: KeyboardEvent) => {
  event.preventDefault();
  event.stopPropagation();
};

interface MountKeysOptions {
  /** Null while no mount is shown. */
  readonly controller: MountController | null;
  readonly onOpen: (imageUid: string) => void;
}

/**
 * Keyboard control of the mount and its tray. Uses the capture phase, because arrow keys would otherwise reach the stage.
 * Returns the digits typed so far.
 */
export const useMountKeys = ({ controller, onOpen }: MountKeysOptions): string => {
  const texts = useMountTexts();
  const [typed, setTyped] = useState('');
  const shown = controller !== null;

  const maxNumber = useEffectEvent(() =>
    Math.max(0, ...(controller?.viewset.viewSetItems.map(({ order }) => order) ?? [])),
  );
  const chooseNumber = useEffectEvent((value: number) => {
    if (!controller) return;
    const item = controller.viewset.viewSetItems.find(({ order }) => order === value);
    if (!item) return controller.announce(texts.noSuchSlot(value));
    const { focusZone, trayImage } = controller;
    if (focusZone.current === 'tray' && trayImage) return controller.mount(trayImage, item.itemIndex);
    controller.chooseSlot(item.itemIndex);
  });
  const press = useEffectEvent((event: KeyboardEvent, number: TypedNumber) => {
    if (!controller || event.defaultPrevented) return;
    const zone = zoneOf(event.target, controller);
    if (zone === 'mount' || zone === 'tray') controller.focusZone.current = zone;
    const key = mountKeyOf(event, zone);
    if (!key) return;
    // A held key only repeats steps.
    if (event.repeat && key.type !== 'step') return consume(event);
    if (key.type === 'digit') number.type(key.digit);
    else {
      const done =
        key.type === 'enter' ? number.finish() : key.type === 'cancel' ? number.clear() : void number.clear();
      if (!done && !runMountKey(key, { controller, texts, onOpen, inTray: zone === 'tray' })) return;
    }
    consume(event);
  });

  useEffect(() => {
    if (!shown) return;
    const number = createTypedNumber({
      largest: () => maxNumber(),
      onNumber: (value) => chooseNumber(value),
      onTyping: setTyped,
    });
    const listen = (event: KeyboardEvent) => press(event, number);
    document.addEventListener('keydown', listen, true);
    return () => {
      document.removeEventListener('keydown', listen, true);
      number.clear();
    };
  }, [shown]);

  // Removing the last tray image lost the focus.
  const trayIsEmpty = controller?.viewset.detachedImages.length === 0;
  const leaveTray = useEffectEvent(() => {
    if (controller?.focusZone.current !== 'tray') return;
    controller.focusZone.current = 'mount';
    if (document.activeElement === document.body) focusIn('[data-mount]');
  });
  useEffect(() => {
    if (trayIsEmpty) leaveTray();
  }, [trayIsEmpty]);
  return typed;
};
