import { describe, expect, it } from 'vitest';
import { plainDisplay } from '../../contract/displays.ts';
import { type Display, emptyScene, sceneOf, withImage } from '../../src/viewer/scene/scene.ts';
import { createFrameRateMonitor } from '../../src/viewer/stage/frame-rate.ts';
import { createLiveViews } from '../../src/viewer/stage/live-views.ts';

const display: Display = {
  voi: { kind: 'window', centre: 1, width: 2, function: 'LINEAR' },
  inverted: false,
  gamma: 1,
  rotation: 0,
  horizontalFlip: false,
  noise: { kind: 'none', strength: 0 },
  sharpness: 0,
  equalisation: 0,
  palette: 'grey',
};
const camera = { centreX: 1, centreY: 2, scale: 3 };
const nothing: ReadonlySet<string> = new Set();
const scene = sceneOf('file', { id: 'one' });

const shown = () => {
  const views = createLiveViews();
  views.applyScene(emptyScene, scene, nothing);
  return views;
};

describe('live views', () => {
  it('keeps the live state for an equal scene', () => {
    const views = shown();
    views.change('one', { display, view: camera });
    views.applyScene(scene, { ...scene, tool: 'pan' }, nothing);
    expect(views.of('one')).toEqual({ display, view: camera, marks: [] });
  });

  it('applies changed parts of a scene', () => {
    const views = shown();
    views.change('one', { display, view: camera });
    const next = withImage(scene, 'one', (image) => ({ ...image, display: { ...display, inverted: true } }));
    views.applyScene(scene, next, nothing);
    expect(views.of('one')).toEqual({ display: { ...display, inverted: true }, view: camera, marks: [] });
  });

  it('keeps the live state during a gesture', () => {
    const views = shown();
    views.change('one', { view: camera });
    views.applyScene(
      scene,
      withImage(scene, 'one', (image) => ({ ...image, view: { ...camera, scale: 9 } })),
      new Set(['one']),
    );
    expect(views.of('one')?.view).toEqual(camera);
  });

  it('keeps the view for another frame of the same file, not for another file', () => {
    const views = shown();
    views.change('one', { display, view: camera });
    const frame = withImage(scene, 'one', (image) => ({ ...image, frame: 2 }));
    views.applyScene(scene, frame, nothing);
    expect(views.of('one')).toEqual({ display, view: camera, marks: [] });
    views.applyScene(
      frame,
      withImage(frame, 'one', (image) => ({ ...image, source: 'other' })),
      nothing,
    );
    expect(views.of('one')).toEqual({ display: plainDisplay, view: 'fit', marks: [] });
  });

  it('drops the state of removed images', () => {
    const views = shown();
    views.applyScene(scene, emptyScene, nothing);
    expect(views.of('one')).toBeNull();
    views.change('one', { display });
    expect(views.of('one')).toBeNull();
  });
});

describe('frame rate monitor', () => {
  it('becomes coarse on slow frames during a gesture, and fine after it', () => {
    const pace = createFrameRateMonitor();
    expect([60, 10, 60, 10].map((delay) => pace.next(true, delay))).toEqual([false, false, true, true]);
    expect(pace.isCoarse()).toBe(true);
    expect(pace.next(false, 500)).toBe(false);
    expect(pace.next(true, 60)).toBe(false);
  });

  it('is coarse from the first frame of a gesture in software rendering', () => {
    const pace = createFrameRateMonitor();
    pace.expectSlow();
    expect([pace.next(false, 0), pace.next(true, 0), pace.next(true, 500), pace.next(false, 0)]).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});
