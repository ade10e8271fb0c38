import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { selectAreMarksHidden, selectSettingsOf } from '../../../src/machines/viewer/viewer.machine.ts';
import { openRealWorkspace, pointer, type RealWorkspace } from './real-workspace.tsx';
import { stages } from './viewer-with-real-stage.ts';

vi.mock('../../../src/viewer/index.ts', () => import('./viewer-with-real-stage.ts'));
vi.mock('../../../src/viewer/stage/renderer.ts', () => import('./no-gpu.ts'));
vi.mock('../../../src/viewer/stage/painter.ts', () => import('./no-gpu.ts'));
vi.mock('../../../src/viewer/stage/snapshot.ts', () => import('./no-gpu.ts'));

const press = (key: string) => act(async () => void fireEvent.keyDown(document.body, { key }));
const drawn = () => document.querySelectorAll('svg [data-mark]').length;
const notice = () => screen.queryByText('Marks hidden');

const drawLength = async ({ actor, canvas }: RealWorkspace, y: number, lift = true) => {
  await act(async () => actor.send({ type: 'tool.chosen', tool: 'length' }));
  await pointer(canvas, 'pointerdown', 200, y);
  await pointer(canvas, 'pointermove', 400, y);
  await pointer(canvas, 'pointermove', 500, y);
  if (lift) await pointer(canvas, 'pointerup', 500, y);
};

beforeEach(() => {
  localStorage.clear();
  stages.length = 0;
});

it('hides all marks by key, says so on the image, and shows them again by key or button', async () => {
  const workspace = await openRealWorkspace();
  await drawLength(workspace, 200);
  await waitFor(() => expect(drawn()).toBe(1));
  expect(notice()).toBeNull();
  await press('v');
  await waitFor(() => expect(drawn()).toBe(0));
  expect(notice()).not.toBeNull();
  await press('v');
  await waitFor(() => expect(drawn()).toBe(1));
  await press('v');
  fireEvent.click(screen.getByRole('button', { name: 'Show' }));
  await waitFor(() => expect(drawn()).toBe(1));
  expect(notice()).toBeNull();
});

it('does not select or delete a hidden mark', async () => {
  const workspace = await openRealWorkspace();
  await drawLength(workspace, 200);
  await press('v');
  await waitFor(() => expect(drawn()).toBe(0));
  await press('Delete');
  await pointer(workspace.canvas, 'pointerdown', 300, 200);
  await pointer(workspace.canvas, 'pointerup', 300, 200);
  await press('Delete');
  await press('Escape');
  expect(selectSettingsOf(workspace.uid)(workspace.actor.getSnapshot()).marks).toHaveLength(1);
  expect(selectAreMarksHidden(workspace.actor.getSnapshot())).toBe(true);
});

it('shows all marks while a new one is drawn, and after it; an abandoned one leaves them hidden', async () => {
  const workspace = await openRealWorkspace();
  await drawLength(workspace, 200);
  await press('v');
  await drawLength(workspace, 300, false);
  await waitFor(() => expect(drawn()).toBe(2));
  await press('Escape');
  await pointer(workspace.canvas, 'pointerup', 500, 300);
  await waitFor(() => expect(drawn()).toBe(0));
  await drawLength(workspace, 300);
  await waitFor(() => expect(drawn()).toBe(2));
  expect(notice()).toBeNull();
});
