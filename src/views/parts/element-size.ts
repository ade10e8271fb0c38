import { type RefObject, useLayoutEffect, useState } from 'react';

/** Tells of an element now and after each change of its size. Returns what stops it. */
const watchSize = (element: HTMLElement, measure: () => void): (() => void) => {
  const observer = new ResizeObserver(measure);
  observer.observe(element);
  measure();
  return () => observer.disconnect();
};

/** The size of an element in CSS pixels, kept up to date. Give `ref` to the element. */
export const useElementSize = () => {
  const [element, ref] = useState<HTMLElement | null>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    if (!element) return undefined;
    return watchSize(element, () => {
      const { clientWidth: width, clientHeight: height } = element;
      // The same size is no news.
      setSize((known) => (known.width === width && known.height === height ? known : { width, height }));
    });
  }, [element]);
  return { ref, ...size };
};

/** Whether the element is narrower than `limit` CSS pixels, kept up to date; one that has not been measured yet is not. */
export const useIsNarrower = (element: RefObject<HTMLElement | null>, limit: number): boolean => {
  const [isNarrower, setIsNarrower] = useState(false);
  useLayoutEffect(() => {
    const measured = element.current;
    if (!measured) return undefined;
    return watchSize(measured, () => setIsNarrower(measured.clientWidth > 0 && measured.clientWidth < limit));
  }, [element, limit]);
  return isNarrower;
};
