import { describe, expect, it } from 'vitest';
import { plainDisplay } from '../../contract/displays.ts';
import type { LoadedImage } from '../../src/viewer/decode/loaded-image.ts';
import { emptyScene, type Scene, type SceneImage, sceneOf } from '../../src/viewer/scene/scene.ts';
import { type PictureBounds, pictureSize } from '../../src/viewer/stage/picture-size.ts';

const loaded = (width: number, height: number, pixelAspect = 1) => ({ width, height, pixelAspect }) as LoadedImage;
const bounds = { aspect: 2, longestSide: null, maxSide: 16_384 };
const alone = (rotation = 0): Scene => sceneOf('a', { display: { ...plainDisplay, rotation } });
const sizeAlone = (image: LoadedImage, rotation = 0, more: Partial<PictureBounds> = {}) =>
  pictureSize(alone(rotation), new Map([['a', image]]), { ...bounds, ...more });

const imageAt = (id: string, placement: SceneImage['placement']): SceneImage => {
  const [image] = sceneOf(id, { placement }).images;
  if (!image) throw new Error('no image');
  return image;
};

describe('pictureSize', () => {
  it('is the size of an image alone, turned and with square pixels', () => {
    expect(sizeAlone(loaded(1501, 999))).toEqual({ width: 1501, height: 999 });
    expect(sizeAlone(loaded(1501, 999), 90)).toEqual({ width: 999, height: 1501 });
    expect(sizeAlone(loaded(100, 100, 2))).toEqual({ width: 100, height: 200 });
  });

  it('is never above the longest side, the GPU limit and 48 megapixels, and never larger than the image', () => {
    expect(sizeAlone(loaded(3000, 1500), 0, { longestSide: 1000 })).toEqual({ width: 1000, height: 500 });
    expect(sizeAlone(loaded(300, 150), 0, { longestSide: 1000 })).toEqual({ width: 300, height: 150 });
    expect(sizeAlone(loaded(3000, 1500), 0, { maxSide: 2048 })).toEqual({ width: 2048, height: 1024 });
    const { width, height } = sizeAlone(loaded(12_000, 12_000));
    expect(width * height).toBeLessThanOrEqual(48_000_000);
    expect(width).toBeGreaterThan(6_900);
  });

  it('gives the finest image of a mount all its pixels', () => {
    const slot = { y: 0, width: 50, height: 50 };
    const mount = { width: 100, height: 50, view: 'fit' } as const;
    const scene = { ...emptyScene, images: [imageAt('a', { ...slot, x: 0 }), imageAt('b', { ...slot, x: 50 })], mount };
    const images = new Map([
      ['a', loaded(300, 400)],
      ['b', loaded(1000, 800)],
    ]);
    expect(pictureSize(scene, images, bounds)).toEqual({ width: 2000, height: 1000 });
  });

  it('keeps the given shape for images side by side', () => {
    const half = { y: 0, width: 0.5, height: 1 };
    const scene = { ...emptyScene, images: [imageAt('a', { ...half, x: 0 }), imageAt('b', { ...half, x: 0.5 })] };
    const images = new Map([
      ['a', loaded(400, 400)],
      ['b', loaded(300, 600)],
    ]);
    expect(pictureSize(scene, images, bounds)).toEqual({ width: 1200, height: 600 });
  });
});
