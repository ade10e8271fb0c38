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

export const lookCommands = ['actual', 'fit', 'rotate-left', 'rotate-right', 'flip', 'invert'] as const;
export type LookCommand = (typeof lookCommands)[number];

/** How the image in hand is shown. */
export interface Look {
  readonly display: Display;
  readonly view: View;
}

/** What a button makes of how the image is shown; the same for every size of window. */
export const lookAfter = (command: LookCommand, { display, view }: Look, image: LoadedImage): Look => {
  switch (command) {
    case 'actual':
      return { display, view: actualSize(image) };
    case 'fit':
      return { display, view: 'fit' };
    case 'rotate-left':
      return { display: rotated(display, -1), view };
    case 'rotate-right':
      return { display: rotated(display), view };
    case 'flip':
      return { display: flippedHorizontally(display), view };
    case 'invert':
      return { display: inverted(display), view };
  }
};

/** What the corners of the image and the buttons need to know of what is drawn. */
export interface Drawn {
  readonly display: Display;
  readonly camera: Camera;
}
