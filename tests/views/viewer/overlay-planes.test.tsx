import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { OverlayPlanes } from '../../../dicom/overlay-planes.ts';
import { openRealWorkspace, picture } from './real-workspace.tsx';
import { stages } from './viewer-with-real-stage.ts';
import { imageInfo } from './workspace-fixtures.ts';

vi.mock('../../../src/viewer/index.ts', () => import('./viewer-with-real-stage.ts'));
vi.mock('../../../src/viewer/stage/renderer.ts', () => import('./no-gpu.ts'));
vi.mock('../../../src/viewer/stage/painter.ts', () => import('./no-gpu.ts'));
vi.mock('../../../src/viewer/stage/snapshot.ts', () => import('./no-gpu.ts'));
const painted = vi.hoisted(() => ({ images: [] as string[] }));
vi.mock('../../../src/viewer/layers/paint-planes.ts', () => ({
  paintPlanes: (_: unknown, { image }: { image: { overlayPlanes: OverlayPlanes } }) =>
    painted.images.push(...image.overlayPlanes.planes.map(({ kind }) => kind)),
}));

// jsdom has no canvas.
HTMLCanvasElement.prototype.getContext = (() => ({ clearRect: () => painted.images.splice(0) })) as never;

const graphics = { kind: 'graphics', x: 1, y: 2, width: 1, height: 1, bits: Uint8Array.of(1) } as const;

const open = (overlayPlanes: OverlayPlanes) =>
  openRealWorkspace({ pictures: { [imageInfo(1).uid]: picture(1, { overlayPlanes }) } });

const press = (key: string, shiftKey = false) =>
  act(async () => void fireEvent.keyDown(document.body, { key, shiftKey }));

const sign = () => screen.queryByTestId('overlay-planes')?.textContent ?? null;

beforeEach(() => {
  localStorage.clear();
  stages.length = 0;
  painted.images = [];
});

it('hides the graphics of the file by key, says so on the image, and shows them again by key or button', async () => {
  const { scenes } = await open({ planes: [graphics], incomplete: 0 });
  await waitFor(() => expect(painted.images).toEqual(['graphics']));
  expect(sign()).toBe('Graphics of the file');
  await press('V', true);
  await waitFor(() => expect(painted.images).toEqual([]));
  expect(sign()).toBe('Graphics of the file hidden');
  // Marks are another thing.
  expect(scenes.at(-1)).toMatchObject({ planesHidden: true, marksHidden: false });
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Show' })));
  await waitFor(() => expect(painted.images).toEqual(['graphics']));
  expect(sign()).toBe('Graphics of the file');
});

it('says that they are hidden even without the text on the image, and leaves them when marks are hidden', async () => {
  await open({ planes: [graphics], incomplete: 0 });
  await press('v');
  await waitFor(() => expect(screen.queryByText('Marks hidden')).not.toBeNull());
  expect(painted.images).toEqual(['graphics']);
  await press('o');
  await press('V', true);
  await waitFor(() => expect(sign()).toBeNull());
  expect(screen.getByText('Graphics of the file hidden')).not.toBeNull();
  const described = screen
    .getAllByRole('button', { name: 'Show' })
    .map((button) => document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent);
  expect(described).toEqual(['Marks hidden', 'Graphics of the file hidden']);
});

it('names damaged graphics on the image', async () => {
  await open({ planes: [], incomplete: 1 });
  expect(sign()).toBe('Graphics of the file incomplete');
  expect(screen.getByText(/^Graphics in the file are damaged or partly outside/)).not.toBeNull();
});

it('has no sign and no canvas for an image without', async () => {
  await open({ planes: [], incomplete: 0 });
  await press('V', true);
  expect(sign()).toBeNull();
  expect(screen.queryByText('Graphics of the file hidden')).toBeNull();
  expect(document.querySelector('canvas[data-overlay-planes]')).toBeNull();
});
