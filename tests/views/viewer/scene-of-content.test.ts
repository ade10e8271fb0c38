import { describe, expect, it, vi } from 'vitest';
import { plainDisplay } from '../../../contract/displays.ts';
import type { ShownContent } from '../../../src/views/app/shown-content.ts';
import {
  compareGrid,
  type SceneOptions,
  savedSettings,
  sceneOfContent,
} from '../../../src/views/workspace/viewer/scene-of-content.ts';
import { aViewset } from '../records.ts';
import { imageInfo, viewsetItem } from './workspace-fixtures.ts';

vi.mock('../../../src/viewer/index.ts', () => import('./viewer-without-gpu.ts'));

const drafts = (content: ShownContent, changes: Partial<SceneOptions> = {}): SceneOptions => ({
  content,
  settingsOf: savedSettings,
  stateOf: () => null,
  activeUid: null,
  tool: 'window',
  mountView: 'fit',
  linked: true,
  marksHidden: false,
  planesHidden: false,
  authorTextOf: ({ name }) => name,
  stage: { width: 1600, height: 900 },
  ...changes,
});

const stageOf = (aspect: number) => ({ width: 1000 * aspect, height: 1000 });

describe('the scene of a mount', () => {
  const saved = { ...plainDisplay, gamma: 2, rotation: 180 };
  const content: ShownContent = {
    kind: 'mount',
    viewset: aViewset([
      viewsetItem(0, { rotation: 90, horizontalFlip: true }),
      viewsetItem(1, { rotation: 180, display: saved, displayVersion: 3 }),
      viewsetItem(2, { activeImage: null }),
      viewsetItem(3, { activeImage: imageInfo(9, { kind: 'document' }) }),
    ]),
  };

  it('is a mount in its own units, with each image in its slot and a gutter around it', () => {
    const scene = sceneOfContent(drafts(content));
    expect(scene.mount).toEqual({ width: 4000, height: 800, view: 'fit' });
    expect(scene.images.map(({ placement: place }) => place)).toEqual([
      { x: 8, y: 8, width: 984, height: 784 },
      { x: 1008, y: 8, width: 984, height: 784 },
    ]);
  });

  it('leaves out empty slots and documents', () => {
    expect(sceneOfContent(drafts(content)).images.map(({ id }) => id)).toEqual([imageInfo(1).uid, imageInfo(2).uid]);
  });

  it('rotates an image like its slot until a user has changed it', () => {
    const [untouched, changed] = sceneOfContent(drafts(content)).images;
    expect(untouched?.display).toEqual({ ...plainDisplay, rotation: 90, horizontalFlip: true });
    expect(untouched?.plain).toEqual({ ...plainDisplay, rotation: 90, horizontalFlip: true });
    expect(changed?.display).toEqual(saved);
  });

  it('fits every image, whatever its own view', () => {
    const zoomed = { centreX: 10, centreY: 20, scale: 4 };
    const scene = sceneOfContent(drafts(content, { settingsOf: (one) => ({ ...savedSettings(one), view: zoomed }) }));
    expect(scene.images.map(({ view }) => view)).toEqual(['fit', 'fit']);
  });

  it('activates the image of the selected slot, and none when that slot is empty', () => {
    const [uid, other] = [imageInfo(2).uid, imageInfo(77).uid];
    expect(sceneOfContent(drafts(content, { activeUid: uid })).active).toBe(uid);
    expect(sceneOfContent(drafts(content, { activeUid: other })).active).toBeNull();
  });
});

describe('the scene of one image', () => {
  const content: ShownContent = { kind: 'image', shown: { image: imageInfo(1), item: null, viewsetId: null } };

  it("fills the stage with the image's last view", () => {
    const view = { centreX: 10, centreY: 20, scale: 4 };
    const scene = sceneOfContent(
      drafts(content, {
        activeUid: imageInfo(1).uid,
        settingsOf: (one) => ({ ...savedSettings(one), view, frame: 3 }),
      }),
    );
    expect(scene.mount).toBeNull();
    expect(scene.images).toMatchObject([{ placement: { x: 0, y: 0, width: 1, height: 1 }, view, frame: 3 }]);
    expect(scene.linked).toBe(false);
  });

  it('has no image for a document', () => {
    const document: ShownContent = {
      kind: 'image',
      shown: { image: imageInfo(1, { kind: 'document' }), item: null, viewsetId: null },
    };
    expect(sceneOfContent(drafts(document)).images).toEqual([]);
  });
});

describe('the scene of a comparison', () => {
  const images = [1, 2].map((number) => ({ image: imageInfo(number), item: null, viewsetId: null }));

  it('is linked when the user says so', () => {
    const content: ShownContent = { kind: 'compare', images, prior: null };
    expect(sceneOfContent(drafts(content)).linked).toBe(true);
    expect(sceneOfContent(drafts(content, { linked: false })).linked).toBe(false);
  });

  it('is side by side on a wide screen and stacked on a tall one', () => {
    const content: ShownContent = { kind: 'compare', images, prior: null };
    const places = (aspect: number) =>
      sceneOfContent(drafts(content, { stage: stageOf(aspect) })).images.map(({ placement: place }) => place);
    expect(places(2)).toEqual([
      { x: 0, y: 0, width: 0.5, height: 1 },
      { x: 0.5, y: 0, width: 0.5, height: 1 },
    ]);
    expect(places(0.8)).toEqual([
      { x: 0, y: 0, width: 1, height: 0.5 },
      { x: 0, y: 0.5, width: 1, height: 0.5 },
    ]);
  });

  it('has an earlier image beside the current one, each with its own window, and stacked only on a tall screen', () => {
    const match = { by: 'teeth', teeth: [11] } as const;
    const days = { priorDay: '2024-03-02', currentDay: '2026-03-02' };
    const currentUid = imageInfo(2).uid;
    const content: ShownContent = {
      kind: 'compare',
      images,
      prior: { currentUid, match, hasLater: false, undated: 0, ...days },
    };
    // Images that are wider than high would be larger one above the other.
    const scene = sceneOfContent(drafts(content, { stage: stageOf(1.1) }));
    expect(scene).toMatchObject({ linked: true, ownWindows: true });
    expect(scene.images.map(({ placement: { x, y } }) => [x, y])).toEqual([
      [0, 0],
      [0.5, 0],
    ]);
    const tall = sceneOfContent(drafts(content, { stage: stageOf(0.8) }));
    expect(tall.images.map(({ placement: { x, y } }) => [x, y])).toEqual([
      [0, 0],
      [0, 0.5],
    ]);
    expect(sceneOfContent(drafts({ ...content, prior: null })).ownWindows).toBe(false);
  });

  it('considers the rotation of the images', () => {
    const turned = (one: Parameters<typeof savedSettings>[0]) => ({
      ...savedSettings(one),
      display: { ...plainDisplay, rotation: 90 },
    });
    const panorama: ShownContent = {
      kind: 'compare',
      images: [1, 2].map((number) => ({
        image: imageInfo(number, { width: 3000, height: 1000 }),
        item: null,
        viewsetId: null,
      })),
      prior: null,
    };
    const columns = (settingsOf: SceneOptions['settingsOf']) =>
      sceneOfContent(drafts(panorama, { settingsOf, stage: stageOf(1.5) })).images.map(
        ({ placement: place }) => place.x,
      );
    expect(columns(savedSettings)).toEqual([0, 0]);
    expect(columns(turned)).toEqual([0, 0.5]);
  });
});

describe('a comparison grid', () => {
  it('puts four images in two rows of two on a usual screen', () => {
    expect(compareGrid([1.3, 1.3, 1.3, 1.3], 1.6).map(({ x, y }) => [x, y])).toEqual([
      [0, 0],
      [0.5, 0],
      [0, 0.5],
      [0.5, 0.5],
    ]);
  });

  it('never overlaps places nor leaves the stage', () => {
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
