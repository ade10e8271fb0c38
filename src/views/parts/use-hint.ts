import { type FocusEvent, type PointerEvent, useEffect, useRef, useState } from 'react';

/** How long the mouse rests on something before it is told about, in milliseconds. */
const restMs = 400;

/**
 * When a button's hint is shown: while the mouse rests on it, or the keyboard has led to it; Escape takes it away. `events` are the button's. Null: it
 * was never asked for, and need not be there.
 */
export const useHint = () => {
  const [shown, setShown] = useState<boolean | null>(null);
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hide = () => {
    clearTimeout(resting.current);
    setShown((known) => known && false);
  };
  useEffect(() => () => clearTimeout(resting.current), []);
  useEffect(() => {
    if (!shown) return undefined;
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') setShown(false);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [shown]);
  return {
    shown,
    events: {
      onPointerEnter: ({ pointerType }: PointerEvent) => {
        clearTimeout(resting.current);
        if (pointerType === 'mouse') resting.current = setTimeout(() => setShown(true), restMs);
      },
      onPointerLeave: hide,
      onFocus: ({ currentTarget }: FocusEvent) => {
        if (currentTarget.matches(':focus-visible')) setShown(true);
      },
      onBlur: hide,
    },
  };
};
