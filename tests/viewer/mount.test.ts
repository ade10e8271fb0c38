import { describe, expect, it } from 'vitest';
import {
  maxZoom,
  mountPanned,
  mountPointAt,
  mountTransform,
  mountZoomedAbout,
  rectangleOnMount,
  sameViewport,
  viewportCentredAt,
} from '../../src/viewer/scene/mount.ts';
import type { Mount, MountViewport } from '../../src/viewer/scene/scene.ts';
import { emptyScene } from '../../src/viewer/scene/scene.ts';
import { createLiveMount } from '../../src/viewer/stage/live-mount.ts';

const stage = { width: 800, height: 600 };
const mountOf = (view: MountViewport = 'fit'): Mount => ({ width: 400, height: 200, view });

describe('mount transform', () => {
  it('fits the mount in the middle of the stage', () => {
    expect(mountTransform(mountOf(), stage)).toEqual({ left: 0, top: 100, scale: 2 });
    expect(rectangleOnMount({ x: 10, y: 20, width: 30, height: 40 }, mountTransform(mountOf(), stage))).toEqual({
      x: 20,
      y: 140,
      width: 60,
      height: 80,
    });
  });

  it('places neighbours edge to edge at every scale', () => {
    const pose = mountTransform(mountOf({ centreX: 123.4, centreY: 77.7, zoom: 1.37 }), { width: 801, height: 599 });
    const left = rectangleOnMount({ x: 0, y: 0, width: 33.3, height: 10 }, pose);
    const right = rectangleOnMount({ x: 33.3, y: 0, width: 20, height: 10 }, pose);
    expect(left.x + left.width).toBe(right.x);
  });

  it('keeps the point under the pointer when zooming', () => {
    const mount = mountOf({ centreX: 200, centreY: 100, zoom: 4 });
    const pointer = { x: 310, y: 222 };
    const before = mountPointAt(pointer, mountTransform(mount, stage));
    const after = mountPointAt(
      pointer,
      mountTransform({ ...mount, view: mountZoomedAbout(mount, stage, 1.5, pointer) }, stage),
    );
    // The corner lies on a whole pixel: half a pixel at 8 and at 12 device pixels a unit.
    expect(Math.abs(after.x - before.x)).toBeLessThan(0.11);
    expect(Math.abs(after.y - before.y)).toBeLessThan(0.11);
  });

  it('pans with the pointer, clamped to the edges of the mount', () => {
    const mount = mountOf({ centreX: 200, centreY: 100, zoom: 4 });
    expect(mountPanned(mount, stage, { x: 80, y: -16 })).toEqual({ centreX: 190, centreY: 102, zoom: 4 });
    const far = mountPanned(mount, stage, { x: 1e6, y: -1e6 });
    expect(mountTransform({ ...mount, view: far }, stage)).toEqual({ left: 0, top: -1000, scale: 8 });
    // Enlarged by less than would fill the height: it stays in the middle of it.
    const low = mountPanned(mountOf({ centreX: 200, centreY: 100, zoom: 1.2 }), stage, { x: 0, y: 50 });
    expect(low).toMatchObject({ centreY: 100 });
  });

  it('returns fit at zoom 1 and below, and limits the zoom', () => {
    expect(mountZoomedAbout(mountOf({ centreX: 50, centreY: 50, zoom: 1.2 }), stage, 0.5, { x: 0, y: 0 })).toBe('fit');
    expect(mountPanned(mountOf(), stage, { x: 50, y: 50 })).toBe('fit');
    expect(mountZoomedAbout(mountOf(), stage, 1e9, { x: 400, y: 300 })).toMatchObject({ zoom: maxZoom });
    expect(viewportCentredAt(mountOf(), stage, { x: 0, y: 0 }, Number.NaN)).toBe('fit');
  });

  it('compares viewports by value', () => {
    const view = { centreX: 1, centreY: 2, zoom: 3 };
    expect(sameViewport(view, { ...view })).toBe(true);
    expect(sameViewport(view, { ...view, zoom: 4 })).toBe(false);
    expect(sameViewport('fit', view)).toBe(false);
  });
});

describe('live mount', () => {
  const turned = { centreX: 100, centreY: 100, zoom: 3 };
  const sceneWith = (mount: Mount | null) => ({ ...emptyScene, mount });
  const shown = () => {
    const live = createLiveMount();
    live.applyScene(emptyScene, sceneWith(mountOf()), false);
    live.setViewport(turned);
    return live;
  };

  it('keeps the live viewport for an equal scene, and applies a different one', () => {
    const live = shown();
    live.applyScene(sceneWith(mountOf()), sceneWith(mountOf()), false);
    expect(live.now()?.view).toEqual(turned);
    live.applyScene(sceneWith(mountOf()), sceneWith(mountOf({ ...turned, zoom: 9 })), true);
    expect(live.now()?.view).toEqual(turned);
    live.applyScene(sceneWith(mountOf()), sceneWith(mountOf({ ...turned, zoom: 9 })), false);
    expect(live.now()?.view).toMatchObject({ zoom: 9 });
  });

  it('resets the viewport for another mount', () => {
    const live = shown();
    live.applyScene(sceneWith(mountOf()), sceneWith({ ...mountOf(), width: 500 }), true);
    expect(live.now()?.view).toBe('fit');
    live.applyScene(sceneWith(mountOf()), emptyScene, true);
    expect(live.now()).toBeNull();
  });
});
