import { useLayoutEffect, useState } from 'react';

/** The size of an element in CSS pixels, kept up to date. Give `ref` to the element. */
export const useElementSize = () => {
  const [element, ref] = useState<HTMLElement | null>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    if (!element) return;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [element]);
  return { ref, ...size };
};
