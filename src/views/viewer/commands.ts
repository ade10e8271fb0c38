import {
  actualSize,
  type Camera,
  type Display,
  flippedHorizontally,
  inverted,
  type LoadedImage,
  rotated,
  type View,
} from '../../viewer/index.ts';
import type { ViewerCommand } from './viewer-toolbar.tsx';

/** How the image in hand is shown. `display` null: as its file asks. */
export interface Look {
  readonly display: Display | null;
  readonly view: View;
}

export const plainLook: Look = { display: null, view: 'fit' };

/** A step in device pixels is not needed here: what the toolbar asks for is the same for every size of window. */
export const lookAfter = (command: ViewerCommand, look: Look, image: LoadedImage): Look => {
  const display = look.display ?? image.original;
  switch (command) {
    case 'actual':
      return { ...look, view: actualSize(image) };
    case 'fit':
      return { ...look, view: 'fit' };
    case 'rotate-left':
      return { ...look, display: rotated(display, -1) };
    case 'rotate-right':
      return { ...look, display: rotated(display) };
    case 'flip':
      return { ...look, display: flippedHorizontally(display) };
    case 'invert':
      return { ...look, display: inverted(display) };
    case 'reset':
      return plainLook;
  }
};

/** What the corners of the image and the buttons need to know of what is drawn. */
export interface Drawn {
  readonly display: Display;
  readonly camera: Camera;
}
