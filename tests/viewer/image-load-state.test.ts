import { describe, expect, test } from 'vitest';
import type { ImageLevel, LoadedImage } from '../../src/viewer/decode/loaded-image.ts';
import { noFilters, type PixelFilters } from '../../src/viewer/decode/pixel-filters.ts';
import {
  type ImageLoadEvent,
  type ImageLoadState,
  isBusy,
  loadAfter,
  newLoad,
} from '../../src/viewer/stage/image-load-state.ts';
import { loadedPicture } from '../gpu/page/synthetic.ts';

const imageOf = (level: ImageLevel, frame = 1): LoadedImage => {
  const reduction = level === 'full' ? 1 : 4;
  const values = new Uint16Array(16 / reduction);
  return { ...loadedPicture({ width: 16, height: 1, pixels: { format: 'u16', values }, reduction }, 'a'), frame };
};
const [reduced, full] = [imageOf('reduced'), imageOf('full')];
const sharp = { ...noFilters, sharpness: 0.5 };

const drawn = (scale: number, nowMs = 0, filters: PixelFilters = noFilters): ImageLoadEvent => ({
  type: 'drawn',
  drawing: { scale, filters },
  nowMs,
});
const through = (...events: readonly ImageLoadEvent[]): ImageLoadState => events.reduce(loadAfter, newLoad(1, null));
const firstLoaded: ImageLoadEvent = { type: 'first.loaded', image: reduced };
const fullLoaded: ImageLoadEvent = { type: 'full.loaded', image: full };
const levelsOf = ({ first, full: { state }, load }: ImageLoadState) => [first.state, state, load.image?.level ?? null];

describe('an image', () => {
  test('ends in the first reply: a failed or loaded one ignores others', () => {
    const error = new Error('cut');
    const failed = through({ type: 'first.failed', error });
    expect([levelsOf(failed), failed.load.error]).toEqual([['failed', 'absent', null], error]);
    expect(levelsOf(loadAfter(failed, drawn(1)))).toEqual(['failed', 'absent', null]);
    expect(levelsOf(through(firstLoaded))).toEqual(['loaded', 'absent', 'reduced']);
    expect(through(firstLoaded, { type: 'first.loaded', image: full }).load.image).toBe(reduced);
  });

  test.each<[string, readonly ImageLoadEvent[], readonly unknown[]]>([
    ['is not drawn before the first image', [drawn(1)], ['loading', 'absent', null]],
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
    expect(loadAfter(state, drawn(0.2))).toBe(state);
    expect(loadAfter(state, fullLoaded)).toEqual(state);
  });
});

describe('filters', () => {
  const filtering = (): ImageLoadState => through(firstLoaded, drawn(0.1, 0, sharp), fullLoaded);
  const pixels = { format: 'u16', values: new Uint16Array(16) } as const;

  test('are applied to the full image; another result is ignored', () => {
    const state = filtering();
    expect(state.filtering).toEqual({ image: full, filters: sharp });
    expect(isBusy(state)).toBe(true);
    const early = { image: full, filters: sharp };
    expect(loadAfter(state, { type: 'filtered', filtering: early, pixels })).toBe(state);
    if (!state.filtering) throw new Error('nothing is filtered');
    const done = loadAfter(state, { type: 'filtered', filtering: state.filtering, pixels });
    expect([done.filtering, done.load.image, done.load.pixels]).toEqual([null, full, pixels]);
    expect(isBusy(done)).toBe(false);
  });

  test('are dropped when they are turned off', () => {
    const off = loadAfter(filtering(), drawn(0.1));
    expect([off.filtering, off.load.image, off.load.pixels]).toEqual([null, reduced, reduced.pixels]);
  });

  test('of the previous frame stay until the next frame is loaded', () => {
    const before = filtering();
    const next = newLoad(2, before);
    expect([next.load, isBusy(next)]).toEqual([before.load, true]);
    const image = imageOf('reduced', 2);
    const loaded = loadAfter(next, { type: 'first.loaded', image });
    expect([loaded.load.image, isBusy(loaded)]).toEqual([image, false]);
  });
});
