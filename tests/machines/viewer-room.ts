import { type Display, type Mark, plainDisplay } from '../../contract/displays.ts';
import type { ImagePlace } from '../../src/machines/viewer/viewer.rules.ts';

export const dark: Display = {
  ...plainDisplay,
  voi: { kind: 'window', centre: 2048, width: 4096, function: 'LINEAR' },
  inverted: true,
};
export const bright: Display = { ...plainDisplay, gamma: 2 };

export const length: Mark = {
  id: 'c1f7a1de-5a58-4a58-9b3b-0c8e6d3b3f01',
  kind: 'length',
  frame: 1,
  points: [
    [1, 2],
    [30, 4],
  ],
};

/** An image on the stage as the archive tells it before anybody changed anything. */
export const placeOf = (imageUid: string, more: Partial<ImagePlace> = {}): ImagePlace => ({
  imageUid,
  viewsetId: 'v',
  display: null,
  displayVersion: 0,
  turn: { rotation: 90, horizontalFlip: false },
  marks: [],
  calibration: null,
  marksVersion: 0,
  frames: 1,
  ...more,
});
