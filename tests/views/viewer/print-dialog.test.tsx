import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { emptyScene, sceneOf } from '../../../src/viewer/scene/scene.ts';
import { PrintDialog } from '../../../src/views/workspace/print/print-dialog.tsx';
import type { ShownPictures } from '../../../src/views/workspace/print/print-subject.ts';
import { loadedPicture } from '../../gpu/page/synthetic.ts';
import { InWorkspace } from '../in-workspace.tsx';
import { show } from '../render.tsx';
import { imageInfo, patient } from './workspace-fixtures.ts';

const never = new Promise<never>(() => undefined);
vi.mock('../../../src/viewer/index.ts', async () => ({
  ...(await import('./viewer-without-gpu.ts')),
  createPictureRenderer: () => never,
}));

const info = imageInfo(1);
const picture = loadedPicture({ width: 40, height: 30, pixels: { format: 'u8', values: new Uint8Array(1200) } });
let load = (_: typeof picture) => {};
beforeEach(async () => {
  const loading = new Promise<typeof picture>((resolve) => {
    load = resolve;
  });
  const shown = {
    content: { kind: 'image', shown: { image: info, item: null, viewsetId: null } },
    scene: { ...emptyScene, images: sceneOf(info.uid).images },
    activeUid: info.uid,
    stageAspect: 1,
    images: { load: () => loading },
    patient,
    words: {},
  } as unknown as ShownPictures;
  await show(
    <InWorkspace>
      <PrintDialog shown={shown} onClose={() => undefined} />
    </InWorkspace>,
  );
});
const create = () => screen.getByRole('button', { name: 'Create PDF' });

it('has the focus on its button while the images load, and creates nothing before', async () => {
  await waitFor(() => expect(document.activeElement).toBe(create()));
  expect(create().getAttribute('aria-disabled')).toBe('true');
  await act(async () => void fireEvent.click(create()));
  expect(create().hasAttribute('data-loading')).toBe(false);
  await act(async () => load(picture));
  expect(create().getAttribute('aria-disabled')).toBe('false');
  await act(async () => void fireEvent.click(create()));
  expect(create().hasAttribute('data-loading')).toBe(true);
});
