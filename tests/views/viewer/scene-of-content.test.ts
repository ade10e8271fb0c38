import { describe, expect, it, vi } from 'vitest';
import { plainDisplay } from '../../../contract/displays.ts';
import type { ShownContent } from '../../../src/views/shown-content.ts';
import { compareGrid } from '../../../src/views/viewer/compare-grid.ts';
import { type SceneWishes, sceneOfContent, toldSettings } from '../../../src/views/viewer/scene-of-content.ts';
import { imageInfo, viewset, viewsetItem } from './room-fixtures.ts';

vi.mock('../../../src/viewer/index.ts', () => import('./door.ts'));

const wishes = (content: ShownContent, changes: Partial<SceneWishes> = {}): SceneWishes => ({
  content,
  settingsOf: toldSettings,
  inHand: null,
  tool: 'window',
  boardView: 'fit',
  linked: true,
  stageAspect: 16 / 9,
  ...changes,
});

describe('the scene of a mount', () => {
  const kept = { ...plainDisplay, gamma: 2, rotation: 180 };
  const content: ShownContent = {
    kind: 'mount',
    viewset: viewset([
      viewsetItem(0, { rotation: 90, horizontalFlip: true }),
      viewsetItem(1, { rotation: 180, display: kept, displayVersion: 3 }),
      viewsetItem(2, { activeImage: null }),
      viewsetItem(3, { activeImage: imageInfo(9, { kind: 'document' }) }),
    ]),
  };

  it('is a board in units of the mount, with each image at its slot and a gutter around it', () => {
    const scene = sceneOfContent(wishes(content));
    expect(scene.board).toEqual({ width: 4000, height: 800, view: 'fit' });
    expect(scene.images.map(({ place }) => place)).toEqual([
      { x: 8, y: 8, width: 984, height: 784 },
      { x: 1008, y: 8, width: 984, height: 784 },
    ]);
  });

  it('leaves out empty slots and documents', () => {
    expect(sceneOfContent(wishes(content)).images.map(({ id }) => id)).toEqual([imageInfo(1).uid, imageInfo(2).uid]);
  });

  it('turns an image as its slot asks until a person has changed it', () => {
    const [untouched, changed] = sceneOfContent(wishes(content)).images;
    expect(untouched?.display).toEqual({ ...plainDisplay, rotation: 90, horizontalFlip: true });
    expect(untouched?.plain).toEqual({ ...plainDisplay, rotation: 90, horizontalFlip: true });
    expect(changed?.display).toEqual(kept);
  });

  it('shows every image whole, wherever one looked when it was alone', () => {
    const zoomed = { centreX: 10, centreY: 20, scale: 4 };
    const scene = sceneOfContent(wishes(content, { settingsOf: (one) => ({ ...toldSettings(one), view: zoomed }) }));
    expect(scene.images.map(({ view }) => view)).toEqual(['fit', 'fit']);
  });

  it('has the image of the selected slot active, and none when that slot is empty', () => {
    const [uid, other] = [imageInfo(2).uid, imageInfo(77).uid];
    expect(sceneOfContent(wishes(content, { inHand: uid })).active).toBe(uid);
    expect(sceneOfContent(wishes(content, { inHand: other })).active).toBeNull();
  });
});

describe('the scene of one image', () => {
  const content: ShownContent = { kind: 'image', shown: { image: imageInfo(1), item: null, viewsetId: null } };

  it('fills the stage and looks where the person looked last', () => {
    const view = { centreX: 10, centreY: 20, scale: 4 };
    const scene = sceneOfContent(
      wishes(content, { inHand: imageInfo(1).uid, settingsOf: (one) => ({ ...toldSettings(one), view, frame: 3 }) }),
    );
    expect(scene.board).toBeNull();
    expect(scene.images).toMatchObject([{ place: { x: 0, y: 0, width: 1, height: 1 }, view, frame: 3 }]);
    expect(scene.linked).toBe(false);
  });

  it('has no image for a document', () => {
    const document: ShownContent = {
      kind: 'image',
      shown: { image: imageInfo(1, { kind: 'document' }), item: null, viewsetId: null },
    };
    expect(sceneOfContent(wishes(document)).images).toEqual([]);
  });
});

describe('the scene of a comparison', () => {
  const images = [1, 2].map((number) => ({ image: imageInfo(number), item: null, viewsetId: null }));

  it('is linked when the person says so', () => {
    const content: ShownContent = { kind: 'compare', images };
    expect(sceneOfContent(wishes(content)).linked).toBe(true);
    expect(sceneOfContent(wishes(content, { linked: false })).linked).toBe(false);
  });

  it('lies side by side on a wide screen and one above the other on a tall one', () => {
    const content: ShownContent = { kind: 'compare', images };
    const places = (stageAspect: number) =>
      sceneOfContent(wishes(content, { stageAspect })).images.map(({ place }) => place);
    expect(places(2)).toEqual([
      { x: 0, y: 0, width: 0.5, height: 1 },
      { x: 0.5, y: 0, width: 0.5, height: 1 },
    ]);
    expect(places(0.8)).toEqual([
      { x: 0, y: 0, width: 1, height: 0.5 },
      { x: 0, y: 0.5, width: 1, height: 0.5 },
    ]);
  });

  it('counts with how the pictures are turned', () => {
    const turned = (one: Parameters<typeof toldSettings>[0]) => ({
      ...toldSettings(one),
      display: { ...plainDisplay, rotation: 90 },
    });
    const panorama: ShownContent = {
      kind: 'compare',
      images: [1, 2].map((number) => ({
        image: imageInfo(number, { width: 3000, height: 1000 }),
        item: null,
        viewsetId: null,
      })),
    };
    const columns = (settingsOf: SceneWishes['settingsOf']) =>
      sceneOfContent(wishes(panorama, { settingsOf, stageAspect: 1.5 })).images.map(({ place }) => place.x);
    expect(columns(toldSettings)).toEqual([0, 0]);
    expect(columns(turned)).toEqual([0, 0.5]);
  });
});

describe('a grid of pictures', () => {
  it('puts four in two rows of two on an ordinary screen', () => {
    expect(compareGrid([1.3, 1.3, 1.3, 1.3], 1.6).map(({ x, y }) => [x, y])).toEqual([
      [0, 0],
      [0.5, 0],
      [0, 0.5],
      [0.5, 0.5],
    ]);
  });

  it('never lets two places overlap nor leave the stage', () => {
    for (const stage of [0.4, 1, 2.5])
      for (const count of [2, 3, 4]) {
        const places = compareGrid(
          Array.from({ length: count }, () => 1.3),
          stage,
        );
        const corners = new Set(places.map(({ x, y }) => `${x} ${y}`));
        expect(corners.size).toBe(count);
        for (const { x, y, width, height } of places) {
          expect(x + width).toBeLessThanOrEqual(1 + 1e-9);
          expect(y + height).toBeLessThanOrEqual(1 + 1e-9);
        }
      }
  });
});
