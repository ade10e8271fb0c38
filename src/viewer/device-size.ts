import type { Size } from './scene/camera.ts';

/**
 * Calls `changed` with the size of an element in device pixels, now and on every change (layout, browser zoom, another
 * screen). Returns the function that stops it.
 */
export const watchDeviceSize = (element: HTMLElement, changed: (size: Size) => void): (() => void) => {
  // The element may be in another window than this script.
  const view = element.ownerDocument.defaultView ?? window;
  const rounded = ({ width, height }: Size) =>
    changed({ width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)) });

  const measured = () => {
    const box = element.getBoundingClientRect();
    rounded({ width: box.width * view.devicePixelRatio, height: box.height * view.devicePixelRatio });
  };

  const observer = new view.ResizeObserver((entries) => {
    const entry = entries.at(-1);
    // Missing in Safari: there CSS size times device pixel ratio is the best approximation.
    const box = entry?.devicePixelContentBoxSize?.[0];
    if (box) rounded({ width: box.inlineSize, height: box.blockSize });
    else measured();
  });
  try {
    observer.observe(element, { box: 'device-pixel-content-box' });
  } catch {
    observer.observe(element);
  }

  let ratio: MediaQueryList | null = null;
  const ratioChanged = () => {
    ratio?.removeEventListener('change', ratioChanged);
    ratio = view.matchMedia(`(resolution: ${view.devicePixelRatio}dppx)`);
    ratio.addEventListener('change', ratioChanged);
    observer.unobserve(element);
    try {
      observer.observe(element, { box: 'device-pixel-content-box' });
    } catch {
      observer.observe(element);
    }
  };
  ratioChanged();
  // The observer reports after the next layout, and not at all for an empty element.
  measured();

  return () => {
    observer.disconnect();
    ratio?.removeEventListener('change', ratioChanged);
  };
};
