import { type FocusEvent, type KeyboardEvent, type MouseEvent, type RefObject, useRef, useState } from 'react';
import type { GalleryImage } from '../../../contract/gallery.ts';
import { type ChosenImages, mostChosen, withImages } from './image-selection.ts';
import type { GalleryRows } from './use-gallery-rows.ts';

/** How the images lie, as the view that shows them says it. */
export interface Layout {
  readonly columns: number;
  /** Rows of them that are in sight. */
  readonly rowsInSight: number;
  readonly scrollTo: (index: number) => void;
}

export interface ImageKeys {
  /** The image that Tab reaches. */
  readonly active: number;
  readonly setActive: (index: number) => void;
  /** The view that shows the images keeps it up to date. */
  readonly layout: RefObject<Layout>;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  /** A press brings the focus before it is a click; where a range begins is the click's to say. */
  readonly onPointerDown: () => void;
  /** Whatever brought the focus to an image, keys go on from there. */
  readonly onFocus: (event: FocusEvent<HTMLElement>) => void;
  readonly onBlur: (event: FocusEvent<HTMLElement>) => void;
  /** A click: opens, or chooses with Ctrl, with Shift (a range), and where something is chosen already. */
  readonly onPress: (index: number, event: Pick<MouseEvent, 'shiftKey' | 'ctrlKey' | 'metaKey'>) => void;
  /** Chooses an image or forgets it; with `range` all from the one before to this. */
  readonly choose: (index: number, range: boolean) => void;
  /** All images of the list, as far as they can be chosen. */
  readonly chooseAll: () => void;
  readonly forget: () => void;
  /** One comes back to the image for which the list was left: the focus goes to it, as soon as it is drawn. */
  readonly returnTo: (index: number) => void;
  /** Puts the focus where a key has led, as soon as that is drawn in `box`. */
  readonly follow: (box: HTMLElement | null) => void;
}

interface ImageKeysOptions {
  readonly rows: GalleryRows;
  readonly chosen: ChosenImages;
  readonly onChosen: (chosen: ChosenImages) => void;
  readonly onOpen: (image: GalleryImage, index: number) => void;
  /** More were meant than can be chosen. */
  readonly onCut: () => void;
  readonly onFailed: (error: unknown) => void;
}

const stepOf = (key: string, { columns, rowsInSight }: Layout): ((index: number, last: number) => number) | null => {
  const page = Math.max(1, rowsInSight - 1) * columns;
  const sideways = columns > 1 ? 1 : 0;
  const steps: Readonly<Record<string, (index: number, last: number) => number>> = {
    ArrowRight: (index) => index + sideways,
    ArrowLeft: (index) => index - sideways,
    // From above a last row that is not full to its last image.
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
 * Images as a keyboard goes among them: Tab reaches one, arrows, Page keys, Home and End lead on, Enter opens, the space bar chooses, Shift with
 * a step chooses what lies between (and forgets it on the way back), Ctrl+A chooses all that can be chosen, Escape forgets them.
 */
export const useImageKeys = (options: ImageKeysOptions): ImageKeys => {
  const { rows, chosen, onChosen, onOpen, onCut, onFailed } = options;
  const [wanted, setActive] = useState(0);
  const count = rows.count ?? 0;
  const active = count === 0 ? wanted : Math.min(wanted, count - 1);
  const layout = useRef(noLayout);
  // Where a range begins, and what was chosen before it.
  const anchor = useRef<{ readonly index: number; readonly base: ChosenImages }>({ index: active, base: chosen });
  const takesFocus = useRef(false);
  const hasFocus = useRef(false);
  const isPressed = useRef(false);
  const turn = useRef(0);
  // The list may be shorter than it was thought to be: the focus goes to its last image.
  if (count > 0 && wanted > count - 1) {
    setActive(count - 1);
    takesFocus.current ||= hasFocus.current;
  }

  const extend = async (from: number, to: number, base: ChosenImages) => {
    turn.current += 1;
    const mine = turn.current;
    try {
      const images = await rows.read(from, to, mostChosen);
      if (turn.current !== mine) return;
      const next = withImages(base, images);
      onChosen(next.chosen);
      if (next.isCut || Math.abs(to - from) >= mostChosen) onCut();
    } catch (error) {
      if (turn.current === mine) onFailed(error);
    }
  };
  const choose = (index: number, range: boolean) => {
    setActive(index);
    if (range) return void extend(anchor.current.index, index, anchor.current.base);
    turn.current += 1;
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
    turn.current += 1;
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
      // An image that is no longer drawn gives its focus to nobody.
      if (relatedTarget && !currentTarget.contains(relatedTarget)) hasFocus.current = false;
    },
    onPress: (index, { shiftKey, ctrlKey, metaKey }) => {
      if (shiftKey || ctrlKey || metaKey || chosen.size > 0) choose(index, shiftKey);
      else {
        setActive(index);
        anchor.current = { index, base: chosen };
        open(index);
      }
    },
    choose,
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
