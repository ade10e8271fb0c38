import { describe, expect, test } from 'vitest';
import type { ImageLevel, LoadedImage } from '../../src/viewer/decode/loaded-image.ts';
import { noFilters, type PixelFilters } from '../../src/viewer/decode/pixel-filters.ts';
import {
  isBusy,
  loadingPicture,
  type PictureEvent,
  type PictureState,
  pictureAfter,
} from '../../src/viewer/stage/picture-state.ts';
import { loadedPicture } from '../gpu/page/synthetic.ts';

const imageOf = (level: ImageLevel, frame = 1): LoadedImage => {
  const reduction = level === 'full' ? 1 : 4;
  const values = new Uint16Array(16 / reduction);
  return { ...loadedPicture({ width: 16, height: 1, pixels: { format: 'u16', values }, reduction }, 'a'), frame };
};
const [reduced, full] = [imageOf('reduced'), imageOf('full')];
const sharp = { ...noFilters, sharpness: 0.5 };

const drawn = (scale: number, nowMs = 0, filters: PixelFilters = noFilters): PictureEvent => ({
  type: 'drawn',
  drawing: { scale, filters },
  nowMs,
});
const through = (...events: readonly PictureEvent[]): PictureState =>
  events.reduce(pictureAfter, loadingPicture(1, null));
const firstLoaded: PictureEvent = { type: 'first.loaded', image: reduced };
const fullLoaded: PictureEvent = { type: 'full.loaded', image: full };
const levelsOf = ({ first, full: { state }, picture }: PictureState) => [
  first.state,
  state,
  picture.image?.level ?? null,
];

describe('a picture', () => {
  test('ends in the first reply: a failed or loaded one ignores others', () => {
    const error = new Error('cut');
    const failed = through({ type: 'first.failed', error });
    expect([levelsOf(failed), failed.picture.error]).toEqual([['failed', 'absent', null], error]);
    expect(levelsOf(pictureAfter(failed, drawn(1)))).toEqual(['failed', 'absent', null]);
    expect(levelsOf(through(firstLoaded))).toEqual(['loaded', 'absent', 'reduced']);
    expect(through(firstLoaded, { type: 'first.loaded', image: full }).picture.image).toBe(reduced);
  });

  test.each<[string, readonly PictureEvent[], readonly unknown[]]>([
    ['is not drawn before the first picture', [drawn(1)], ['loading', 'absent', null]],
    ['suffices reduced', [firstLoaded, drawn(0.25)], ['loaded', 'absent', 'reduced']],
    ['is loaded in full when it is too coarse', [firstLoaded, drawn(1)], ['loaded', 'loading', 'reduced']],
    ['is shown in full', [firstLoaded, drawn(1), fullLoaded], ['loaded', 'loaded', 'full']],
    ['is not loaded in full any more', [firstLoaded, drawn(1), drawn(0.1)], ['loaded', 'absent', 'reduced']],
    ['ignores a late full one', [firstLoaded, drawn(1), drawn(0.1), fullLoaded], ['loaded', 'absent', 'reduced']],
    ['keeps the full one', [firstLoaded, drawn(1), fullLoaded, drawn(0.1)], ['loaded', 'loaded', 'reduced']],
    [
      'releases the full one',
      [firstLoaded, drawn(1), fullLoaded, drawn(0.1), { type: 'full.released' }],
      ['loaded', 'absent', 'reduced'],
    ],
    [
      'stays reduced after a failure',
      [firstLoaded, drawn(1), { type: 'full.failed', nowMs: 10 }, drawn(1, 5_010)],
      ['loaded', 'failed', 'reduced'],
    ],
    [
      'is loaded again later',
      [firstLoaded, drawn(1), { type: 'full.failed', nowMs: 10 }, drawn(1, 5_011)],
      ['loaded', 'loading', 'reduced'],
    ],
  ])('%s', (_, events, levels) => {
    expect(levelsOf(through(...events))).toEqual(levels);
  });

  test('is the same state when nothing changes', () => {
    const state = through(firstLoaded, drawn(0.1));
    expect(pictureAfter(state, drawn(0.2))).toBe(state);
    expect(pictureAfter(state, fullLoaded)).toEqual(state);
  });
});

describe('filters', () => {
  const filtering = (): PictureState => through(firstLoaded, drawn(0.1, 0, sharp), fullLoaded);
  const pixels = { format: 'u16', values: new Uint16Array(16) } as const;

  test('are applied to the full picture; another result is ignored', () => {
    const state = filtering();
    expect(state.filtering).toEqual({ image: full, filters: sharp });
    expect(isBusy(state)).toBe(true);
    const early = { image: full, filters: sharp };
    expect(pictureAfter(state, { type: 'filtered', filtering: early, pixels })).toBe(state);
    if (!state.filtering) throw new Error('nothing is filtered');
    const done = pictureAfter(state, { type: 'filtered', filtering: state.filtering, pixels });
    expect([done.filtering, done.picture.image, done.picture.pixels]).toEqual([null, full, pixels]);
    expect(isBusy(done)).toBe(false);
  });

  test('are dropped when they are turned off', () => {
    const off = pictureAfter(filtering(), drawn(0.1));
    expect([off.filtering, off.picture.image, off.picture.pixels]).toEqual([null, reduced, reduced.pixels]);
  });

  test('of the previous frame stay until the next frame is loaded', () => {
    const before = filtering();
    const next = loadingPicture(2, before);
    expect([next.picture, isBusy(next)]).toEqual([before.picture, true]);
    const image = imageOf('reduced', 2);
    const loaded = pictureAfter(next, { type: 'first.loaded', image });
    expect([loaded.picture.image, isBusy(loaded)]).toEqual([image, false]);
  });
});
