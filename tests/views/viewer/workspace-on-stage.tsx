import { act } from '@testing-library/react';
import { vi } from 'vitest';
import { createActor, fromPromise } from 'xstate';
import { plainDisplay } from '../../../contract/displays.ts';
import { noOverlayPlanes } from '../../../dicom/overlay-planes.ts';
import type { Change, Outcome } from '../../../src/machines/viewer/saving.rules.ts';
import { viewerMachine } from '../../../src/machines/viewer/viewer.machine.ts';
import type { Histogram, Images, LoadedImage } from '../../../src/viewer/index.ts';
import type { ShownContent } from '../../../src/views/app/shown-content.ts';
import { ViewerWorkspace } from '../../../src/views/workspace/viewer/viewer-workspace.tsx';
import type { ViewerWorkspaceProps } from '../../../src/views/workspace/viewer/viewer-workspace-props.ts';
import { InWorkspace } from '../in-workspace.tsx';
import { show } from '../render.tsx';
import { stages } from './fake-stage.ts';
import { imageInfo, noHistory, noPriors, plainProps } from './workspace-fixtures.ts';

export const imageUid = imageInfo(1).uid;

export const loaded = (changes: Partial<LoadedImage> = {}): LoadedImage => ({
  key: imageUid,
  frame: 1,
  level: 'full',
  width: 1200,
  height: 900,
  pixels: { format: 'u16', values: new Uint16Array(0) },
  pixelWidth: 1200,
  pixelHeight: 900,
  reduction: 1,
  pixelAspect: 1,
  overlayPlanes: noOverlayPlanes,
  coded: null,
  description: {
    samplesPerPixel: 1,
    numberOfFrames: 1,
    ultrasoundRegions: [],
    sampleKind: 'integer',
    windows: [{ kind: 'window', centre: 2000, width: 1000, function: 'LINEAR', explanation: 'Bone' }],
    frames: null,
    spacing: { rowMm: 0.02, columnMm: 0.02, kind: 'detector' },
    lossy: false,
    padding: null,
  } as unknown as LoadedImage['description'],
  modality: { kind: 'rescale', slope: 1, intercept: 0 },
  voiLuts: [],
  range: { low: 0, high: 4000 },
  shownInverse: false,
  original: { ...plainDisplay, voi: { kind: 'window', centre: 2000, width: 1000, function: 'LINEAR' } },
  sizeBytes: 0,
  ...changes,
});

const histogram: Histogram = { low: 0, high: 4000, counts: new Float64Array([1, 2, 3, 2, 1]) };
const images = { histogram: () => Promise.resolve(histogram) } as unknown as Images;
export const openImages = () => Promise.resolve(images);
const one: ShownContent = { kind: 'image', shown: { image: imageInfo(1), item: null, viewsetId: null } };

export const viewerWithoutSaving = viewerMachine.provide({
  actors: { saveChanges: fromPromise<readonly Outcome[], readonly Change[]>(() => new Promise(() => {})) },
});

export const openWorkspace = async (changes: Partial<ViewerWorkspaceProps> = {}) => {
  const actor = createActor(viewerWithoutSaving).start();
  const navigation = { ...noHistory, open: vi.fn(), step: vi.fn(), compare: null, prior: noPriors, back: vi.fn() };
  const onChoose = vi.fn();
  const page = await show(
    <InWorkspace viewer={actor} openImages={openImages}>
      <ViewerWorkspace
        {...plainProps}
        content={one}
        activeUid={imageUid}
        navigation={navigation}
        onChoose={onChoose}
        {...changes}
      />
    </InWorkspace>,
  );
  await act(async () => {});
  const stage = stages.at(-1);
  if (!stage) throw new Error('the workspace opened no stage');
  const load = (image = loaded()) =>
    act(async () => {
      stage.emit({ type: 'image.loaded', id: imageUid, image });
      stage.emit({
        type: 'view.drawn',
        id: imageUid,
        display: image.original,
        camera: { centreX: 600, centreY: 450, scale: 0.5 },
        level: 'full',
        filtering: false,
      });
    });
  return { actor, stage, load, page, onChoose, onBack: navigation.back };
};
