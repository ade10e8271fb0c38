import { describe, expect, test, vi } from 'vitest';
import type { Images, LoadOptions } from '../../src/viewer/decode/images.ts';
import type { ImageLevel, LoadedImage } from '../../src/viewer/decode/loaded-image.ts';
import { noFilters } from '../../src/viewer/decode/pixel-filters.ts';

import { emptyScene, type Scene, sceneOf } from '../../src/viewer/scene/scene.ts';
import { createPictures } from '../../src/viewer/stage/pictures.ts';
import { loadedPicture } from '../gpu/page/synthetic.ts';

const side = 2400;
const blurred = { ...noFilters, sharpness: 0.5 };

/** A picture of 2400 x 1 pixels, whole or a fourth of it. */
const pictureOf = (key: string, frame: number, level: ImageLevel): LoadedImage => {
  const reduction = level === 'full' ? 1 : 4;
  const values = new Uint16Array(side / reduction).fill(frame);
  return { ...loadedPicture({ width: side, height: 1, pixels: { format: 'u16', values }, reduction }, key), frame };
};

interface Asked extends LoadOptions {
  readonly key: string;
  readonly frame: number;
  readonly answer: (image?: LoadedImage) => void;
  readonly fail: (error: Error) => void;
}

/** Images that answer when told to. */
const bench = (fullBytes?: number) => {
  const asked: Asked[] = [];
  const forgotten: string[] = [];
  const filters: { readonly image: LoadedImage; readonly answer: () => void }[] = [];
  const images: Images = {
    load: (key, frame = 1, options = {}) =>
      new Promise((resolve, reject) => {
        options.signal?.addEventListener('abort', () => reject(options.signal?.reason));
        const answer = (image = pictureOf(key, frame, options.level ?? 'full')) => resolve(image);
        asked.push({ key, frame, ...options, answer, fail: reject });
      }),
    filter: (image) =>
      new Promise((resolve) => {
        filters.push({ image, answer: () => resolve({ format: 'u16', values: new Uint16Array(image.pixelWidth) }) });
      }),
    histogram: () => Promise.reject(new Error('nobody counts here')),
    forget: (keys) => forgotten.push(...keys),
    kept: () => ({ pictures: 0, bytes: 0 }),
    dispose: () => undefined,
  };
  const news = { loaded: vi.fn(), progressed: vi.fn(), failed: vi.fn(), changed: vi.fn() };
  const pictures = createPictures(images, news, fullBytes);
  const asking = (key: string, level: ImageLevel) =>
    asked.filter((each) => each.key === key && each.level === level && !each.signal?.aborted);
  /** Answers the newest question for a picture, and waits until it was heard. */
  const answer = async (key: string, level: ImageLevel, image?: LoadedImage) => {
    const found = asking(key, level).at(-1);
    if (!found) throw new Error(`nobody asked for the ${level} ${key}`);
    found.answer(image);
    await Promise.resolve();
    await Promise.resolve();
  };
  const drawn = (id: string, scale: number, through = noFilters) => pictures.drawn(id, { filters: through, scale });
  const level = (id: string) => pictures.of(id)?.image?.level;
  return { asked, answer, asking, drawn, filters, forgotten, level, news, pictures };
};

const sceneWith = (...keys: readonly string[]): Scene => ({
  ...emptyScene,
  images: keys.flatMap((key) => sceneOf(key).images),
  active: keys[1] ?? keys[0] ?? null,
});

describe('the level of a picture', () => {
  test('is reduced while that has pixels enough for the screen, and full when it has not', async () => {
    const { answer, asking, drawn, level, news, pictures } = bench();
    pictures.want(sceneWith('a'));
    await answer('a', 'reduced');
    drawn('a', 0.25);
    expect([level('a'), asking('a', 'full').length, pictures.busy()]).toEqual(['reduced', 0, false]);
    drawn('a', 0.2501);
    drawn('a', 0.3);
    expect([level('a'), asking('a', 'full').length, pictures.busy()]).toEqual(['reduced', 1, true]);
    await answer('a', 'full');
    expect([level('a'), pictures.busy()]).toEqual(['full', false]);
    expect(news.loaded.mock.calls.map(([, image]) => image.level)).toEqual(['reduced', 'full']);
    // Somewhat smaller the full one stays; much smaller, the reduced one has enough.
    drawn('a', 0.2);
    expect(level('a')).toBe('full');
    drawn('a', 0.1);
    expect(level('a')).toBe('reduced');
    drawn('a', 0.5);
    expect([level('a'), asking('a', 'full').length]).toEqual(['full', 1]);
  });

  test('is full at once where the archive has no reduced one', async () => {
    const { answer, asking, drawn, level, pictures } = bench();
    pictures.want(sceneWith('a'));
    await answer('a', 'reduced', pictureOf('a', 1, 'full'));
    drawn('a', 4);
    expect([level('a'), asking('a', 'full').length]).toEqual(['full', 0]);
  });

  test('is full for a filter, whose neighbours are pixels of the image, and nothing half done is shown', async () => {
    const { answer, drawn, filters, level, pictures } = bench();
    pictures.want(sceneWith('a'));
    await answer('a', 'reduced');
    drawn('a', 0.1, blurred);
    await answer('a', 'full');
    filters.at(-1)?.answer();
    await Promise.resolve();
    expect([level('a'), pictures.of('a')?.pixels?.values.length]).toEqual(['full', side]);
    expect(pictures.isFiltering('a')).toBe(false);
    // Pixels and image never are of different sizes.
    drawn('a', 0.1);
    expect([level('a'), pictures.of('a')?.pixels?.values.length]).toEqual(['reduced', side / 4]);
  });

  test('stays reduced when the full one cannot be had, and is tried again later', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { asking, answer, drawn, level, news, pictures } = bench();
    pictures.want(sceneWith('a'));
    await answer('a', 'reduced');
    vi.advanceTimersByTime(1);
    drawn('a', 1);
    asking('a', 'full').at(-1)?.fail(new Error('offline'));
    await Promise.resolve();
    await Promise.resolve();
    drawn('a', 1);
    expect([level('a'), asking('a', 'full').length, news.failed.mock.calls.length]).toEqual(['reduced', 1, 0]);
    vi.advanceTimersByTime(6_000);
    drawn('a', 1);
    expect(asking('a', 'full').length).toBe(2);
    vi.useRealTimers();
  });
});

describe('what is loaded', () => {
  test('is asked for with the active image first, and full ones after all first ones', async () => {
    const { answer, asked, drawn, pictures } = bench();
    pictures.want(sceneWith('a', 'b', 'c'));
    expect(asked.map(({ key, level, priority }) => `${key} ${level} ${priority}`)).toEqual([
      'a reduced 1',
      'b reduced 0',
      'c reduced 1',
    ]);
    await answer('a', 'reduced');
    await answer('b', 'reduced');
    drawn('a', 1);
    drawn('b', 1);
    const full = asked.filter(({ level }) => level === 'full');
    expect(full.map(({ key, priority }) => `${key} ${priority}`)).toEqual(['a 3', 'b 2']);
  });

  test('is given up when the scene does not name it any more, and forgotten at the end', async () => {
    const { answer, asked, drawn, forgotten, pictures } = bench();
    pictures.want(sceneWith('a', 'b'));
    await answer('b', 'reduced');
    drawn('b', 1);
    pictures.want(sceneWith('c'));
    expect(asked.map(({ key, level, signal }) => `${key} ${level} ${signal?.aborted}`)).toEqual([
      'a reduced true',
      // Answered before: this takes back nothing.
      'b reduced true',
      'b full true',
      'c reduced false',
    ]);
    pictures.dispose();
    expect(asked.at(-1)?.signal?.aborted).toBe(true);
    expect(forgotten).toEqual(['a', 'b', 'c']);
  });

  test('keeps to its bounds: full pictures of images that became small go', async () => {
    const { answer, asking, drawn, pictures } = bench(side * 2 * 1.5);
    pictures.want(sceneWith('a', 'b'));
    for (const key of ['a', 'b']) {
      await answer(key, 'reduced');
      drawn(key, 1);
      await answer(key, 'full');
      drawn(key, 0.1);
    }
    // That of `a` had to go and is asked for again; that of `b` is still there.
    drawn('b', 1);
    expect(asking('b', 'full').length).toBe(1);
    drawn('a', 1);
    expect(asking('a', 'full').length).toBe(2);
  });

  test('shows the frame before until the next one is there', async () => {
    const { answer, pictures } = bench();
    const scene = sceneWith('a');
    pictures.want(scene);
    await answer('a', 'reduced');
    pictures.want({ ...scene, images: scene.images.map((image) => ({ ...image, frame: 2 })) });
    expect([pictures.of('a')?.image?.frame, pictures.busy()]).toEqual([1, true]);
    await answer('a', 'reduced');
    expect([pictures.of('a')?.image?.frame, pictures.busy()]).toEqual([2, false]);
  });
});
