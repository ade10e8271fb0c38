import { expect, it } from 'vitest';
import type { StageImage } from '../../src/viewer/gesture/target.ts';
import { linkedView } from '../../src/viewer/scene/link.ts';
import { emptyScene, type Scene, sceneOf, type View } from '../../src/viewer/scene/scene.ts';
import { createEnteringImages } from '../../src/viewer/stage/entering-images.ts';
import { createLiveViews } from '../../src/viewer/stage/live-views.ts';

const orientation = { rotation: 0, horizontalFlip: false, pixelAspect: 1 };
const rectangle = { x: 0, y: 0, width: 500, height: 500 };
const sizes = { current: { width: 1000, height: 800 }, prior: { width: 1500, height: 900 } } as const;
type Id = keyof typeof sizes;
const placed = (id: Id) => ({ image: sizes[id], rectangle, orientation });

const imagesOf = (...ids: readonly Id[]) => ids.flatMap((id) => sceneOf(`${id}.dcm`, { id }).images);
const alone: Scene = { ...emptyScene, images: imagesOf('current') };
const pair: Scene = { ...emptyScene, images: imagesOf('prior', 'current'), linked: true };
const zoomed: View = { centreX: 300, centreY: 500, scale: 1.5 };

const stage = () => {
  const views = createLiveViews();
  const loaded = new Set<string>();
  const of = (id: string) =>
    loaded.has(id) ? ({ ...placed(id === 'prior' ? 'prior' : 'current'), id } as unknown as StageImage) : null;
  const entering = createEnteringImages(views, { of });
  let shown = emptyScene;
  return {
    views,
    show: (next: Scene) => {
      views.applyScene(shown, next, new Set());
      entering.applyScene(shown, next);
      shown = next;
    },
    load: (id: Id) => {
      loaded.add(id);
      entering.loaded(id);
    },
  };
};

it('gives an image that enters a linked scene the zoom and position of the one that stays', () => {
  const { views, show, load } = stage();
  show(alone);
  load('current');
  views.change('current', { view: zoomed });
  show(pair);
  expect(views.of('prior')?.view).toBe('fit');
  load('prior');
  const followed = linkedView(placed('current'), zoomed, placed('prior'));
  expect(views.of('prior')?.view).toEqual(followed);
  expect(views.of('current')?.view).toEqual(zoomed);
  // The same scene again, and a better resolution of the same image, change nothing.
  views.change('current', { view: 'fit' });
  show({ ...pair, tool: 'pan' });
  load('prior');
  expect(views.of('prior')?.view).toEqual(followed);
});

it('leaves an image as it is that has a zoom of its own, in a scene that is not linked, and without an image that stays', () => {
  const own: View = { centreX: 1, centreY: 2, scale: 3 };
  const withOwn = {
    ...pair,
    images: pair.images.map((image) => (image.id === 'prior' ? { ...image, view: own } : image)),
  };
  for (const [before, next, view] of [
    [alone, withOwn, own],
    [alone, { ...pair, linked: false }, 'fit'],
    [emptyScene, pair, 'fit'],
  ] as const) {
    const { views, show, load } = stage();
    show(before);
    load('current');
    views.change('current', { view: zoomed });
    show(next);
    load('prior');
    expect(views.of('prior')?.view).toEqual(view);
  }
});
