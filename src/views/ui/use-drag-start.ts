import { type PointerEvent as ReactPointerEvent, useEffect, useRef } from 'react';
import type { Pointer } from './use-drag.ts';

/** CSS pixels of movement that start a drag; in a scrollable strip a finger must move upwards. */
const mouseSlop = 4;
const fingerSlop = 12;
/** Milliseconds of a long press. */
const longPressMs = 350;

/** A long press on a link opens the browser's menu, which would cancel the pointer. */
const keepMenuClosed = () => {
  const released = new AbortController();
  const options = { capture: true, signal: released.signal };
  window.addEventListener('contextmenu', (event) => event.preventDefault(), options);
  for (const end of ['pointerup', 'pointercancel']) window.addEventListener(end, () => released.abort(), options);
};

const isLonger = (strip: Element) => strip.scrollWidth > strip.clientWidth + 1;

/**
 * Returns handlers that start a drag: by movement with mouse, pen or finger, or by a long press. `finger` 'hold': a finger drags only after a
 * long press, because its movements scroll.
 */
export const useDragStart = (onDragStart: (pointer: Pointer) => void, finger: 'move' | 'hold' = 'move') => {
  const held = useRef<(() => void) | null>(null);
  useEffect(() => () => held.current?.(), []);
  const onPointerDown = (down: ReactPointerEvent<HTMLElement>) => {
    if (down.button !== 0 || !down.isPrimary) return;
    held.current?.();
    const { pointerId, clientX, clientY } = down;
    const touch = down.pointerType === 'touch';
    const strip = down.currentTarget.closest('[data-strip]');
    const scrolls = touch && strip !== null && isLonger(strip);
    let at = { x: clientX, y: clientY };
    const release = () => {
      clearTimeout(timer);
      window.removeEventListener('pointermove', move, true);
      window.removeEventListener('pointerup', leave, true);
      window.removeEventListener('pointercancel', leave, true);
      held.current = null;
    };
    const pickUp = () => {
      release();
      if (touch) keepMenuClosed();
      onDragStart({ pointerId, clientX: at.x, clientY: at.y });
    };
    const move = (event: PointerEvent) => {
      if (event.pointerId !== pointerId) return;
      at = { x: event.clientX, y: event.clientY };
      const [x, y] = [Math.abs(at.x - clientX), at.y - clientY];
      const slop = touch ? fingerSlop : mouseSlop;
      if (touch && finger === 'hold') {
        if (Math.hypot(x, y) > fingerSlop) release();
      } else if (scrolls ? -y > slop && -y > x : Math.hypot(x, y) > slop) pickUp();
      else if (scrolls && x > slop) release();
    };
    const leave = (event: PointerEvent) => {
      if (event.pointerId === pointerId) release();
    };
    const timer = touch ? setTimeout(pickUp, longPressMs) : undefined;
    window.addEventListener('pointermove', move, true);
    window.addEventListener('pointerup', leave, true);
    window.addEventListener('pointercancel', leave, true);
    held.current = release;
  };
  return { onPointerDown };
};

/**
 * Lets touch scroll the strip only where it overflows, and never while dragging.
 * Chromium requires the listener and `touch-action` before the touch begins.
 */
export const useStripTouchScroll = (element: HTMLElement | null, images: number): void => {
  useEffect(() => {
    if (!element || images === 0) return;
    const allow = () => {
      element.style.touchAction = isLonger(element) ? 'pan-x' : 'none';
      // At an end only scrolling back is allowed, or an overscroll would navigate back.
      // Browsers without these values ignore them and keep the line above.
      if (isLonger(element) && element.scrollLeft <= 0) element.style.touchAction = 'pan-right';
      else if (isLonger(element) && element.scrollLeft >= element.scrollWidth - element.clientWidth - 1)
        element.style.touchAction = 'pan-left';
    };
    const observer = new ResizeObserver(allow);
    observer.observe(element);
    element.addEventListener('scroll', allow, { passive: true });
    allow();
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', allow);
    };
  }, [element, images]);
  useNoScrollWhileDragging(element);
};

/** Keeps touch from scrolling an element while something is dragged. */
export const useNoScrollWhileDragging = (element: HTMLElement | null): void => {
  useEffect(() => {
    if (!element) return;
    const still = (event: TouchEvent) => {
      if (document.documentElement.hasAttribute('data-dragging')) event.preventDefault();
    };
    element.addEventListener('touchmove', still, { passive: false });
    return () => element.removeEventListener('touchmove', still);
  }, [element]);
};
