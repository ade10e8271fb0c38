import { describe, expect, it } from 'vitest';
import { plainDisplay } from '../../contract/displays.ts';
import { type Display, emptyScene, sceneOf, withImage } from '../../src/viewer/scene/scene.ts';
import { createLiveViews } from '../../src/viewer/stage/live-views.ts';
import { createPace } from '../../src/viewer/stage/pace.ts';

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
  views.take(emptyScene, scene, nothing);
  return views;
};

describe('what a hand has made of a scene', () => {
  it('stays when the same is shown again', () => {
    const views = shown();
    views.change('one', { display, view: camera });
    views.take(scene, { ...scene, tool: 'pan' }, nothing);
    expect(views.of('one')).toEqual({ display, view: camera, marks: [] });
  });

  it('gives way to a scene that says otherwise, part by part', () => {
    const views = shown();
    views.change('one', { display, view: camera });
    const next = withImage(scene, 'one', (image) => ({ ...image, display: { ...display, inverted: true } }));
    views.take(scene, next, nothing);
    expect(views.of('one')).toEqual({ display: { ...display, inverted: true }, view: camera, marks: [] });
  });

  it('is not torn out of a hand', () => {
    const views = shown();
    views.change('one', { view: camera });
    views.take(
      scene,
      withImage(scene, 'one', (image) => ({ ...image, view: { ...camera, scale: 9 } })),
      new Set(['one']),
    );
    expect(views.of('one')?.view).toEqual(camera);
  });

  it('goes with the next frame of the same file, and not with another file', () => {
    const views = shown();
    views.change('one', { display, view: camera });
    const frame = withImage(scene, 'one', (image) => ({ ...image, frame: 2 }));
    views.take(scene, frame, nothing);
    expect(views.of('one')).toEqual({ display, view: camera, marks: [] });
    views.take(
      frame,
      withImage(frame, 'one', (image) => ({ ...image, source: 'other' })),
      nothing,
    );
    expect(views.of('one')).toEqual({ display: plainDisplay, view: 'fit', marks: [] });
  });

  it('is forgotten with the image', () => {
    const views = shown();
    views.take(scene, emptyScene, nothing);
    expect(views.of('one')).toBeNull();
    views.change('one', { display });
    expect(views.of('one')).toBeNull();
  });
});

describe('pace', () => {
  it('turns coarse when frames come late under a hand, and fine when it lets go', () => {
    const pace = createPace();
    expect([60, 10, 60, 10].map((delay) => pace.next(true, delay))).toEqual([false, false, true, true]);
    expect(pace.isCoarse()).toBe(true);
    expect(pace.next(false, 500)).toBe(false);
    expect(pace.next(true, 60)).toBe(false);
  });

  it('is coarse under a hand from the first frame where there is no GPU, and fine at rest', () => {
    const pace = createPace();
    pace.expectSlow();
    expect([pace.next(false, 0), pace.next(true, 0), pace.next(true, 500), pace.next(false, 0)]).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});
