import { act, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { createActor } from 'xstate';
import type { ShownContent } from '../../../src/views/app/shown-content.ts';
import { ViewerWorkspace } from '../../../src/views/workspace/viewer/viewer-workspace.tsx';
import { imagesOf } from '../../gpu/page/synthetic.ts';
import { InWorkspace } from '../in-workspace.tsx';
import { show } from '../render.tsx';
import { picture } from './real-workspace.tsx';
import { imageInfo, noHistory, noPriors, plainProps } from './workspace-fixtures.ts';
import { viewerWithoutSaving } from './workspace-on-stage.tsx';

vi.mock('../../../src/viewer/index.ts', () => import('./viewer-with-real-stage.ts'));
vi.mock('../../../src/viewer/stage/renderer.ts', () => import('./no-gpu.ts'));
vi.mock('../../../src/viewer/stage/painter.ts', () => import('./no-gpu.ts'));
vi.mock('../../../src/viewer/stage/snapshot.ts', () => import('./no-gpu.ts'));

const infos = [imageInfo(1), imageInfo(2)] as const;
const [first, second] = infos.map((image) => ({ image, item: null, viewsetId: null }));
if (!first || !second) throw new Error('no images');
const pair: ShownContent = { kind: 'compare', images: [first, second], prior: null };
const single: ShownContent = { kind: 'image', shown: first };
const pictures = imagesOf(Object.fromEntries(infos.map(({ uid }) => [uid, picture()])));
const openImages = () => Promise.resolve(pictures);

it('shows the facts of an image that left the stage and returned before the next frame', async () => {
  let setContent: (content: ShownContent) => void = () => undefined;
  const actor = createActor(viewerWithoutSaving).start();
  const Page = () => {
    const [content, set] = useState<ShownContent>(pair);
    setContent = set;
    return (
      <InWorkspace viewer={actor} openImages={openImages}>
        <ViewerWorkspace
          {...plainProps}
          content={content}
          activeUid={first.image.uid}
          navigation={{
            ...noHistory,
            open: () => undefined,
            step: () => undefined,
            compare: null,
            prior: noPriors,
            back: null,
          }}
          onChoose={() => undefined}
        />
      </InWorkspace>
    );
  };
  await show(<Page />);
  await waitFor(() => expect(screen.getAllByTestId('overlay-zoom')).toHaveLength(2));
  const frames: FrameRequestCallback[] = [];
  const held = vi.spyOn(globalThis, 'requestAnimationFrame').mockImplementation((frame) => frames.push(frame));
  await act(async () => setContent(single));
  await act(async () => setContent(pair));
  await act(async () => {});
  held.mockRestore();
  act(() => {
    for (const frame of frames) frame(performance.now());
  });
  await waitFor(() => expect(screen.getAllByTestId('overlay-zoom')).toHaveLength(2));
});
