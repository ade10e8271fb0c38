import { describe, expect, test, vi } from 'vitest';
import type { Images, LoadOptions } from '../../src/viewer/decode/images.ts';
import type { ImageLevel, LoadedImage } from '../../src/viewer/decode/loaded-image.ts';
import { noFilters } from '../../src/viewer/decode/pixel-filters.ts';

import { emptyScene, type Scene, sceneOf } from '../../src/viewer/scene/scene.ts';
import { createImageLoads } from '../../src/viewer/stage/image-loads.ts';
import { loadedPicture } from '../gpu/page/synthetic.ts';

const side = 2400;
const blurred = { ...noFilters, sharpness: 0.5 };

/** An image of 2400 x 1 pixels, whole or a fourth of it. */
const imageOf = (key: string, frame: number, level: ImageLevel): LoadedImage => {
  const reduction = level === 'full' ? 1 : 4;
  const values = new Uint16Array(side / reduction).fill(frame);
  return { ...loadedPicture({ width: side, height: 1, pixels: { format: 'u16', values }, reduction }, key), frame };
};

interface Request extends LoadOptions {
  readonly key: string;
  readonly frame: number;
  readonly answer: (image?: LoadedImage) => void;
  readonly fail: (error: Error) => void;
}

/** An `Images` implementation with controlled replies. */
const bench = (fullBytes?: number) => {
  const requests: Request[] = [];
  const filters: { readonly image: LoadedImage; readonly answer: () => void }[] = [];
  const images: Images = {
    load: (key, frame = 1, options = {}) =>
      new Promise((resolve, reject) => {
        options.signal?.addEventListener('abort', () => reject(options.signal?.reason));
        const answer = (image = imageOf(key, frame, options.level ?? 'full')) => resolve(image);
        requests.push({ key, frame, ...options, answer, fail: reject });
      }),
    filter: (image) =>
      new Promise((resolve) => {
        filters.push({ image, answer: () => resolve({ format: 'u16', values: new Uint16Array(image.pixelWidth) }) });
      }),
    histogram: () => Promise.reject(new Error('not implemented')),
    forgetAll: () => undefined,
    cacheUsage: () => ({ images: 0, bytes: 0 }),
    dispose: () => undefined,
  };
  const changes = { loaded: vi.fn(), progressed: vi.fn(), failed: vi.fn(), changed: vi.fn() };
  const imageLoads = createImageLoads(images, changes, fullBytes);
  const request = (key: string, level: ImageLevel) =>
    requests.filter((each) => each.key === key && each.level === level && !each.signal?.aborted);
  /** Resolves the latest request for an image, and waits until it is handled. */
  const answer = async (key: string, level: ImageLevel, image?: LoadedImage) => {
    const found = request(key, level).at(-1);
    if (!found) throw new Error(`the ${level} ${key} was not requested`);
    found.answer(image);
    await Promise.resolve();
    await Promise.resolve();
  };
  const drawn = (id: string, scale: number, through = noFilters) =>
    imageLoads.reportDrawn(id, { filters: through, scale });
  const level = (id: string) => imageLoads.of(id)?.image?.level;
  return { requests, answer, request, drawn, filters, level, changes, imageLoads };
};

const sceneWith = (...keys: readonly string[]): Scene => ({
  ...emptyScene,
  images: keys.flatMap((key) => sceneOf(key).images),
  active: keys[1] ?? keys[0] ?? null,
});

describe('the level of an image', () => {
  test('is reduced while that suffices for the screen, else full', async () => {
    const { answer, request, drawn, level, changes, imageLoads } = bench();
    imageLoads.showScene(sceneWith('a'));
    await answer('a', 'reduced');
    drawn('a', 0.25);
    expect([level('a'), request('a', 'full').length, imageLoads.busy()]).toEqual(['reduced', 0, false]);
    drawn('a', 0.2501);
    drawn('a', 0.3);
    expect([level('a'), request('a', 'full').length, imageLoads.busy()]).toEqual(['reduced', 1, true]);
    await answer('a', 'full');
    expect([level('a'), imageLoads.busy()]).toEqual(['full', false]);
    expect(changes.loaded.mock.calls.map(([, image]) => image.level)).toEqual(['reduced', 'full']);
    // Hysteresis: the full image stays until the scale is much smaller.
    drawn('a', 0.2);
    expect(level('a')).toBe('full');
    drawn('a', 0.1);
    expect(level('a')).toBe('reduced');
    drawn('a', 0.5);
    expect([level('a'), request('a', 'full').length]).toEqual(['full', 1]);
  });

  test('is full at once where the archive has no reduced one', async () => {
    const { answer, request, drawn, level, imageLoads } = bench();
    imageLoads.showScene(sceneWith('a'));
    await answer('a', 'reduced', imageOf('a', 1, 'full'));
    drawn('a', 4);
    expect([level('a'), request('a', 'full').length]).toEqual(['full', 0]);
  });

  test('is full for a filter, and no intermediate state is shown', async () => {
    const { answer, drawn, filters, level, imageLoads } = bench();
    imageLoads.showScene(sceneWith('a'));
    await answer('a', 'reduced');
    drawn('a', 0.1, blurred);
    await answer('a', 'full');
    filters.at(-1)?.answer();
    await Promise.resolve();
    expect([level('a'), imageLoads.of('a')?.pixels?.values.length]).toEqual(['full', side]);
    expect(imageLoads.isFiltering('a')).toBe(false);
    // Pixels and image always have the same size.
    drawn('a', 0.1);
    expect([level('a'), imageLoads.of('a')?.pixels?.values.length]).toEqual(['reduced', side / 4]);
  });

  test('stays reduced when the full one fails to load, and is retried later', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { request, answer, drawn, level, changes, imageLoads } = bench();
    imageLoads.showScene(sceneWith('a'));
    await answer('a', 'reduced');
    vi.advanceTimersByTime(1);
    drawn('a', 1);
    request('a', 'full').at(-1)?.fail(new Error('offline'));
    await Promise.resolve();
    await Promise.resolve();
    drawn('a', 1);
    expect([level('a'), request('a', 'full').length, changes.failed.mock.calls.length]).toEqual(['reduced', 1, 0]);
    vi.advanceTimersByTime(6_000);
    drawn('a', 1);
    expect(request('a', 'full').length).toBe(2);
    vi.useRealTimers();
  });
});

describe('what is loaded', () => {
  test('is requested with the active image first, and full images last', async () => {
    const { answer, requests, drawn, imageLoads } = bench();
    imageLoads.showScene(sceneWith('a', 'b', 'c'));
    expect(requests.map(({ key, level, priority }) => `${key} ${level} ${priority}`)).toEqual([
      'a reduced 1',
      'b reduced 0',
      'c reduced 1',
    ]);
    await answer('a', 'reduced');
    await answer('b', 'reduced');
    drawn('a', 1);
    drawn('b', 1);
    const full = requests.filter(({ level }) => level === 'full');
    expect(full.map(({ key, priority }) => `${key} ${priority}`)).toEqual(['a 3', 'b 2']);
  });

  test('is aborted when the scene no longer contains it, and on dispose', async () => {
    const { answer, requests, drawn, imageLoads } = bench();
    imageLoads.showScene(sceneWith('a', 'b'));
    await answer('b', 'reduced');
    drawn('b', 1);
    imageLoads.showScene(sceneWith('c'));
    expect(requests.map(({ key, level, signal }) => `${key} ${level} ${signal?.aborted}`)).toEqual([
      'a reduced true',
      // Already resolved: aborting has no effect.
      'b reduced true',
      'b full true',
      'c reduced false',
    ]);
    imageLoads.dispose();
    expect(requests.at(-1)?.signal?.aborted).toBe(true);
  });

  test('releases full images of images that became small above the limit', async () => {
    const { answer, request, drawn, imageLoads } = bench(side * 2 * 1.5);
    imageLoads.showScene(sceneWith('a', 'b'));
    for (const key of ['a', 'b']) {
      await answer(key, 'reduced');
      drawn(key, 1);
      await answer(key, 'full');
      drawn(key, 0.1);
    }
    // The one of `a` was released and is requested again; the one of `b` is still loaded.
    drawn('b', 1);
    expect(request('b', 'full').length).toBe(1);
    drawn('a', 1);
    expect(request('a', 'full').length).toBe(2);
  });

  test('shows the previous frame until the next one is loaded', async () => {
    const { answer, imageLoads } = bench();
    const scene = sceneWith('a');
    imageLoads.showScene(scene);
    await answer('a', 'reduced');
    imageLoads.showScene({ ...scene, images: scene.images.map((image) => ({ ...image, frame: 2 })) });
    expect([imageLoads.of('a')?.image?.frame, imageLoads.busy()]).toEqual([1, true]);
    await answer('a', 'reduced');
    expect([imageLoads.of('a')?.image?.frame, imageLoads.busy()]).toEqual([2, false]);
  });
});
