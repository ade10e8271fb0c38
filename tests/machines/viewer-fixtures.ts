import { type Display, type Mark, plainDisplay } from '../../contract/displays.ts';
import type { StageImage } from '../../src/machines/viewer/viewer.rules.ts';

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

/** An image on the stage as the archive returns it before any change. */
export const stageImageOf = (imageUid: string, more: Partial<StageImage> = {}): StageImage => ({
  imageUid,
  viewsetId: 'v',
  display: null,
  displayVersion: 0,
  turn: { rotation: 90, horizontalFlip: false },
  marks: [],
  calibration: null,
  marksVersion: 0,
  frames: 1,
  slicesOf: null,
  ...more,
});
