import { useLayoutEffect, useState } from 'react';

/** Rows above and below what is seen, so that a turn of the wheel meets no gap. */
const spare = 12;

export interface ShownRows {
  /** First row that is drawn, and the one after the last. */
  readonly from: number;
  readonly to: number;
  /** Height in CSS pixels of what is left out above and below. */
  readonly above: number;
  readonly below: number;
}

/** Of `count` rows of equal height those that are seen in a box of `height`, scrolled to `top`, with some to spare. */
export const shownRows = (
  count: number,
  { top, height, rowHeight }: { readonly top: number; readonly height: number; readonly rowHeight: number },
): ShownRows => {
  const first = Math.min(Math.max(0, Math.floor(top / rowHeight) - spare), Math.max(0, count - 1));
  const to = Math.min(count, Math.ceil((top + height) / rowHeight) + spare);
  return { from: first, to, above: first * rowHeight, below: (count - to) * rowHeight };
};

/** How far a box is scrolled, and how high it is; kept up to date. */
export const useScrolled = (box: HTMLElement | null): { readonly top: number; readonly height: number } => {
  const [scrolled, setScrolled] = useState({ top: 0, height: 0 });
  useLayoutEffect(() => {
    if (!box) return;
    const measure = () => setScrolled({ top: box.scrollTop, height: box.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    box.addEventListener('scroll', measure, { passive: true });
    measure();
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', measure);
    };
  }, [box]);
  return scrolled;
};
