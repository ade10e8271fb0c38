import { type FocusEvent, type PointerEvent, useEffect, useRef, useState } from 'react';

/** How long pointer or focus must stay on a row, in milliseconds, before it is looked at: who only passes asks for nothing. */
const restMs = 180;

interface Rest {
  /** The row that was rested on last. */
  readonly id: string;
  /** Pointer and focus have gone from it since. */
  readonly isLeft: boolean;
}

interface RestOptions {
  /** The id of the row in which an element lies; null when it lies in none, undefined when it lies where one goes on looking. */
  readonly rowOf: (element: Element) => string | null | undefined;
  /** Somebody has come to a row. Answers whether it is to be looked at. */
  readonly onComing: () => boolean;
}

/**
 * On which row of a table pointer or keyboard rest, whichever moved last; a finger does not count. `watch`: for what holds the rows. A pointer that
 * lies still while keys scroll the rows away below it chooses nothing.
 */
export const useRest = ({ rowOf, onComing }: RestOptions) => {
  const [rest, setRest] = useState<Rest | null>(null);
  const wanted = useRef<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const byKeys = useRef(false);
  const pointer = useRef({ x: Number.NaN, y: Number.NaN });
  useEffect(() => () => clearTimeout(timer.current), []);

  const look = (id: string | null) => {
    if (id === wanted.current) return;
    clearTimeout(timer.current);
    wanted.current = id;
    if (id !== null && !onComing()) return;
    if (rest) setRest({ ...rest, isLeft: id !== rest.id });
    if (id !== null && id !== rest?.id) timer.current = setTimeout(() => setRest({ id, isLeft: false }), restMs);
  };
  const lookAt = (target: EventTarget) => {
    const id = target instanceof Element ? rowOf(target) : null;
    if (id !== undefined) look(id);
  };
  const watch = {
    onPointerMove: ({ pointerType, screenX: x, screenY: y, target }: PointerEvent) => {
      if (pointerType === 'touch' || (x === pointer.current.x && y === pointer.current.y)) return;
      pointer.current = { x, y };
      byKeys.current = false;
      lookAt(target);
    },
    // Rows that are scrolled by the wheel come under a pointer that lies still; so does a whole page, which chooses nothing.
    onPointerOver: ({ pointerType, target }: PointerEvent) => {
      const hasMoved = !Number.isNaN(pointer.current.x);
      if (pointerType !== 'touch' && hasMoved && !byKeys.current) lookAt(target);
    },
    onPointerLeave: () => {
      if (!byKeys.current) look(null);
    },
    onFocus: ({ target }: FocusEvent) => {
      const id = rowOf(target);
      if (typeof id !== 'string') return;
      byKeys.current = true;
      look(id);
    },
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (byKeys.current && !(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) look(null);
    },
  };
  return { rest, watch };
};
