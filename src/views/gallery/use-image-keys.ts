import { type FocusEvent, type KeyboardEvent, type MouseEvent, type RefObject, useRef, useState } from 'react';
import type { GalleryImage } from '../../../contract/gallery.ts';
import { type ChosenImages, maxSelected, withImages } from './image-selection.ts';
import type { GalleryRows } from './use-gallery-rows.ts';

/** Layout of the images, reported by the view that shows them. */
export interface Layout {
  readonly columns: number;
  /** Visible rows. */
  readonly rowsInSight: number;
  readonly scrollTo: (index: number) => void;
}

export interface ImageKeys {
  /** Index of the image with tabindex 0. */
  readonly active: number;
  readonly setActive: (index: number) => void;
  /** Updated by the view that shows the images. */
  readonly layout: RefObject<Layout>;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  /** Focus moves before the click event; the anchor of a range is set by the click. */
  readonly onPointerDown: () => void;
  /** Sets the active image, whatever moved the focus to it. */
  readonly onFocus: (event: FocusEvent<HTMLElement>) => void;
  readonly onBlur: (event: FocusEvent<HTMLElement>) => void;
  /** Opens the clicked image; selects it on its check box, with Ctrl, with Shift (a range) and while a selection exists. */
  readonly onClick: (event: MouseEvent<HTMLElement>) => void;
  /** Selects all images of the list up to the maximum. */
  readonly chooseAll: () => void;
  readonly forget: () => void;
  /** On return to the list, focuses the image that was opened once it is rendered. */
  readonly returnTo: (index: number) => void;
  /** Focuses the active image in `box` once it is rendered. */
  readonly follow: (box: HTMLElement | null) => void;
}

interface ImageKeysOptions {
  readonly rows: GalleryRows;
  readonly chosen: ChosenImages;
  readonly onChosen: (chosen: ChosenImages) => void;
  readonly onOpen: (image: GalleryImage, index: number) => void;
  /** More images were requested than can be selected. */
  readonly onCut: () => void;
  readonly onFailed: (error: unknown) => void;
}

const stepOf = (key: string, { columns, rowsInSight }: Layout): ((index: number, last: number) => number) | null => {
  const page = Math.max(1, rowsInSight - 1) * columns;
  const sideways = columns > 1 ? 1 : 0;
  const steps: Readonly<Record<string, (index: number, last: number) => number>> = {
    ArrowRight: (index) => index + sideways,
    ArrowLeft: (index) => index - sideways,
    // Moving down from above an incomplete last row goes to the last image.
    ArrowDown: (index, last) => (index - (index % columns) + columns > last ? index : Math.min(last, index + columns)),
    ArrowUp: (index) => (index < columns ? index : index - columns),
    PageDown: (index) => index + page,
    PageUp: (index) => index - page,
    Home: () => 0,
    End: (_, last) => last,
  };
  return steps[key] ?? null;
};

const noLayout: Layout = { columns: 1, rowsInSight: 1, scrollTo: () => {} };

/**
 * Keyboard navigation of images: Tab reaches one, arrows, Page Up/Down, Home and End move, Enter opens, Space selects,
 * Shift with a move selects a range (and deselects on the way back), Ctrl+A selects all, Escape clears the selection.
 */
export const useImageKeys = (options: ImageKeysOptions): ImageKeys => {
  const { rows, chosen, onChosen, onOpen, onCut, onFailed } = options;
  const [requestedActive, setActive] = useState(0);
  const count = rows.count ?? 0;
  const active = count === 0 ? requestedActive : Math.min(requestedActive, count - 1);
  const layout = useRef(noLayout);
  // Anchor of the range, and the selection before it.
  const anchor = useRef<{ readonly index: number; readonly base: ChosenImages }>({ index: active, base: chosen });
  const takesFocus = useRef(false);
  const hasFocus = useRef(false);
  const isPressed = useRef(false);
  const frame = useRef(0);
  // The list may have become shorter: the active image is clamped to the last.
  if (count > 0 && requestedActive > count - 1) {
    setActive(count - 1);
    takesFocus.current ||= hasFocus.current;
  }

  const extend = async (from: number, to: number, base: ChosenImages) => {
    frame.current += 1;
    const mine = frame.current;
    try {
      const images = await rows.read(from, to, maxSelected);
      if (frame.current !== mine) return;
      const next = withImages(base, images);
      onChosen(next.chosen);
      if (next.isCut || Math.abs(to - from) >= maxSelected) onCut();
    } catch (error) {
      if (frame.current === mine) onFailed(error);
    }
  };
  // Toggles an image; with `range` selects all images from the anchor to it.
  const choose = (index: number, range: boolean) => {
    setActive(index);
    if (range) return void extend(anchor.current.index, index, anchor.current.base);
    frame.current += 1;
    const image = rows.rowAt(index);
    if (!image) return;
    const next = new Map(chosen);
    const added = next.delete(image.uid) ? null : withImages(chosen, [image]);
    if (added?.isCut) return onCut();
    anchor.current = { index, base: added?.chosen ?? next };
    onChosen(anchor.current.base);
  };
  const go = (to: number, range: boolean) => {
    const index = Math.max(0, Math.min(count - 1, to));
    takesFocus.current = true;
    setActive(index);
    layout.current.scrollTo(index);
    if (range) void extend(anchor.current.index, index, anchor.current.base);
    else anchor.current = { index, base: chosen };
  };
  const open = (index: number) => {
    const image = rows.rowAt(index);
    if (image) onOpen(image, index);
  };
  const forget = () => {
    frame.current += 1;
    anchor.current = { index: active, base: new Map() };
    onChosen(anchor.current.base);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    isPressed.current = false;
    if (!(event.target instanceof HTMLElement) || event.target.dataset.index === undefined || event.altKey) return;
    const at = Number(event.target.dataset.index);
    const isCommand = event.ctrlKey || event.metaKey;
    const step = stepOf(event.key, layout.current);
    if (step) go(step(at, count - 1), event.shiftKey);
    else if (event.key === 'Enter') open(at);
    else if (event.key === ' ') choose(at, event.shiftKey);
    else if (isCommand && event.key.toLowerCase() === 'a') void extend(0, count - 1, chosen);
    else if (event.key === 'Escape' && chosen.size > 0) forget();
    else return;
    event.preventDefault();
  };
  return {
    active,
    setActive,
    layout,
    onKeyDown,
    onPointerDown: () => {
      isPressed.current = true;
    },
    onFocus: ({ target }) => {
      hasFocus.current = true;
      const index = Number(target.dataset.index ?? Number.NaN);
      if (Number.isInteger(index) && index !== active) {
        setActive(index);
        if (!isPressed.current) anchor.current = { index, base: chosen };
      }
      isPressed.current = false;
    },
    onBlur: ({ currentTarget, relatedTarget }) => {
      // An image that is no longer rendered has lost the focus.
      if (relatedTarget && !currentTarget.contains(relatedTarget)) hasFocus.current = false;
    },
    onClick: ({ target, shiftKey, ctrlKey, metaKey }) => {
      const image = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
      if (!(target instanceof Element) || !image) return;
      const index = Number(image.dataset.index);
      const isCheck = target.closest('[data-check]') !== null;
      if (isCheck || shiftKey || ctrlKey || metaKey || chosen.size > 0) return choose(index, shiftKey);
      setActive(index);
      anchor.current = { index, base: chosen };
      open(index);
    },
    chooseAll: () => void extend(0, count - 1, chosen),
    forget,
    returnTo: (index) => {
      anchor.current = { index, base: chosen };
      takesFocus.current = true;
      setActive(index);
      layout.current.scrollTo(index);
    },
    follow: (box) => {
      if (!takesFocus.current) return;
      const target = box?.querySelector<HTMLElement>(`[data-index="${active}"]`);
      if (!target) return;
      takesFocus.current = false;
      target.focus({ preventScroll: true });
    },
  };
};
