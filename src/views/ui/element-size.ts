import { type RefObject, useLayoutEffect, useState } from 'react';

/** Calls `measure` now and after each resize. Returns a function that stops it. */
const watchSize = (element: HTMLElement, measure: () => void): (() => void) => {
  const observer = new ResizeObserver(measure);
  observer.observe(element);
  measure();
  return () => observer.disconnect();
};

/** Tracks the size of an element in CSS pixels. Attach `ref` to the element. */
export const useElementSize = () => {
  const [element, ref] = useState<HTMLElement | null>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    if (!element) return undefined;
    return watchSize(element, () => {
      const { clientWidth: width, clientHeight: height } = element;
      // Skip the update when the size is unchanged.
      setSize((known) => (known.width === width && known.height === height ? known : { width, height }));
    });
  }, [element]);
  return { ref, ...size };
};

/** Returns whether the element is narrower than `limit` CSS pixels; false before it is measured. */
export const useIsNarrower = (element: RefObject<HTMLElement | null>, limit: number): boolean => {
  const [isNarrower, setIsNarrower] = useState(false);
  useLayoutEffect(() => {
    const measured = element.current;
    if (!measured) return undefined;
    return watchSize(measured, () => setIsNarrower(measured.clientWidth > 0 && measured.clientWidth < limit));
  }, [element, limit]);
  return isNarrower;
};
