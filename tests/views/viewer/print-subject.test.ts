import { describe, expect, it, vi } from 'vitest';
import { type Display, plainDisplay } from '../../../contract/displays.ts';
import type { PresentationState } from '../../../contract/presentation-states.ts';
import { emptyScene, type SceneImage, sceneOf } from '../../../src/viewer/scene/scene.ts';
import type { ShownContent } from '../../../src/views/app/shown-content.ts';
import {
  daysOf,
  printedPictureOf,
  type ShownPictures,
  sceneOfSubject,
  subjectsOf,
} from '../../../src/views/workspace/print/print-subject.ts';
import { loadedPicture } from '../../gpu/page/synthetic.ts';
import { imageInfo } from './workspace-fixtures.ts';

vi.mock('../../../src/viewer/index.ts', () => import('./viewer-without-gpu.ts'));

const loaded = loadedPicture({ width: 400, height: 300, pixels: { format: 'u8', values: new Uint8Array(120_000) } });
const infos = [imageInfo(1), imageInfo(2, { imageAcquiredDate: '2020-05-06' })];
const drawn = (uid: string, changes: Partial<SceneImage> = {}): SceneImage => {
  const [image] = sceneOf(uid, { view: { centreX: 1, centreY: 1, scale: 9 }, ...changes }).images;
  if (!image) throw new Error('no image');
  return image;
};
const content: ShownContent = {
  kind: 'compare',
  images: infos.map((image) => ({ image, item: null, viewsetId: null })),
  prior: null,
};
const shown = (changes: Partial<ShownPictures> = {}): ShownPictures => ({
  ...({} as Pick<ShownPictures, 'images' | 'words' | 'patient'>),
  content,
  scene: { ...emptyScene, images: infos.map(({ uid }) => drawn(uid)) },
  activeUid: infos[1]?.uid ?? null,
  stageAspect: 2,
  ...changes,
});
const declared = (display: Partial<Display>, isMounted = false, changes: Partial<SceneImage> = {}) => {
  const [image] = subjectsOf(shown())[0]?.images ?? [];
  if (!image) throw new Error('no image');
  const altered = { ...image.drawn, display: { ...plainDisplay, ...display }, ...changes };
  return printedPictureOf({ ...image, drawn: altered }, loaded, isMounted);
};

describe('what is printed', () => {
  it('is all that is shown, or the active image of several', () => {
    const [all, active, ...others] = subjectsOf(shown());
    expect(others).toEqual([]);
    expect([all?.kind, all?.images.length]).toEqual(['compare', 2]);
    expect([active?.kind, active?.images.map(({ drawn: { id } }) => id)]).toEqual(['image', [infos[1]?.uid]]);
    if (!all || !active) throw new Error('no subject');
    expect(daysOf(all)).toEqual(['2020-05-06', '2026-03-02']);
    expect(sceneOfSubject(shown().scene, active).images.map(({ id }) => id)).toEqual([infos[1]?.uid]);
    expect(subjectsOf(shown({ activeUid: null }))).toHaveLength(1);
  });

  it('names every change of the grey values, and mirroring outside a mount', () => {
    expect(declared({}).processing).toEqual([]);
    const all = declared({
      noise: { kind: 'median', strength: 0.5 },
      sharpness: 0.5,
      equalisation: 0.1,
      inverted: true,
      gamma: 2,
      palette: 'hot',
      horizontalFlip: true,
    });
    expect(all.processing).toEqual(['noise', 'sharpened', 'equalised', 'inverted', 'gamma', 'palette', 'mirrored']);
    expect(declared({ sharpness: -0.2, noise: { kind: 'median', strength: 0 } }).processing).toEqual(['smoothed']);
    expect(declared({ horizontalFlip: true }, true).processing).toEqual([]);
    expect(declared({}, false, { state: {} as PresentationState }).processing).toEqual(['state']);
  });

  it('has the size as turned, and a spacing only where one is known', () => {
    expect(declared({})).toMatchObject({ width: 400, height: 300, turned: false, spacing: null });
    expect(declared({ rotation: 90 })).toMatchObject({ width: 300, height: 400, turned: true });
    const calibration = { mmPerPixel: 0.05 };
    expect(declared({}, false, { calibration }).spacing).toEqual({ mmPerPixel: 0.05, source: 'calibrated' });
    expect(declared({}, false, { calibration: 'unknown' }).spacing).toBeNull();
  });

  it('has no spacing where regions of an ultrasound image have their own, unless a user calibrated it', () => {
    const [image] = subjectsOf(shown())[0]?.images ?? [];
    if (!image) throw new Error('no image');
    const region = { left: 0, top: 0, right: 9, bottom: 9, pixel: { columnMm: 0.1, rowMm: 0.1 } };
    const spacing = { columnMm: 0.2, rowMm: 0.2, kind: 'patient' } as const;
    const ultrasound = { ...loaded, description: { ...loaded.description, spacing, ultrasoundRegions: [region] } };
    expect(printedPictureOf(image, ultrasound, false).spacing).toBeNull();
    const calibrated = { ...image, drawn: { ...image.drawn, calibration: { mmPerPixel: 0.3 } } };
    expect(printedPictureOf(calibrated, ultrasound, false).spacing).toEqual({ mmPerPixel: 0.3, source: 'calibrated' });
  });
});
