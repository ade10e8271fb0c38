import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openRealWorkspace, type RealWorkspace } from './real-workspace.tsx';
import { click, doubleClick, drag, drawnTexts, marksOf, only, press } from './stage-steps.ts';
import { stages } from './viewer-with-real-stage.ts';

vi.mock('../../../src/viewer/index.ts', () => import('./viewer-with-real-stage.ts'));
vi.mock('../../../src/viewer/stage/renderer.ts', () => import('./no-gpu.ts'));
vi.mock('../../../src/viewer/stage/painter.ts', () => import('./no-gpu.ts'));
vi.mock('../../../src/viewer/stage/snapshot.ts', () => import('./no-gpu.ts'));

beforeEach(() => {
  localStorage.clear();
  stages.length = 0;
});

describe('a length along a curve', () => {
  it('grows by clicks and ends by Enter, with its total length', async () => {
    const workspace = await openRealWorkspace();
    await press('Shift+L');
    await click(workspace, [200, 200]);
    await click(workspace, [500, 200]);
    await click(workspace, [500, 400]);
    expect(marksOf(workspace)).toEqual([]);
    await press('Enter');
    expect(only(workspace)).toMatchObject({ kind: 'polyline' });
    expect(only(workspace).points).toHaveLength(3);
    // 150 and 100 pixels of 0.02 mm.
    await waitFor(() => expect(drawnTexts()).toEqual(['5.0 mm at detector']));
    expect(workspace.calls.onOpen).not.toHaveBeenCalled();
  });

  it('ends by a double click, loses its last point by Backspace, and all by Escape', async () => {
    const workspace = await openRealWorkspace();
    await press('Shift+L');
    await click(workspace, [200, 200]);
    await click(workspace, [300, 200]);
    await click(workspace, [300, 300]);
    await press('Backspace');
    await doubleClick(workspace, [400, 200]);
    expect(only(workspace).points).toEqual([
      [100, 100],
      [150, 100],
      [200, 100],
    ]);
    await click(workspace, [200, 400]);
    await click(workspace, [300, 400]);
    await press('Escape');
    await press('Enter');
    expect(marksOf(workspace)).toHaveLength(1);
    expect(workspace.calls.onBack).not.toHaveBeenCalled();
  });

  it('needs two points; an area needs three', async () => {
    const workspace = await openRealWorkspace();
    await press('Shift+G');
    await click(workspace, [200, 200]);
    await click(workspace, [400, 200]);
    await press('Enter');
    expect(marksOf(workspace)).toEqual([]);
    await click(workspace, [400, 300]);
    await press('Enter');
    expect(only(workspace).kind).toBe('area');
    // Half of 100 x 50 pixels of 0.02 mm.
    await waitFor(() => expect(drawnTexts()).toEqual(['1.0 mm² at detector']));
  });
});

describe('an angle of two lines', () => {
  it.each([
    ['by two drags', (workspace: RealWorkspace) => drag(workspace, [400, 400], [450, 450], [500, 500])],
    [
      'by clicks',
      async (workspace: RealWorkspace) => {
        await click(workspace, [400, 400]);
        await click(workspace, [500, 500]);
      },
    ],
  ])('is drawn %s', async (_, second) => {
    const workspace = await openRealWorkspace();
    await press('Shift+X');
    await drag(workspace, [200, 200], [300, 200], [400, 200]);
    await second(workspace);
    expect(only(workspace)).toMatchObject({
      kind: 'lineAngle',
      points: [
        [100, 100],
        [200, 100],
        [200, 200],
        [250, 250],
      ],
    });
    await waitFor(() => expect(drawnTexts()).toEqual(['45.0° / 135.0°']));
    // Between the lines there is nothing to select.
    await press('Escape');
    await press('W');
    await click(workspace, [400, 300]);
    await press('Delete');
    expect(marksOf(workspace)).toHaveLength(1);
  });
});

describe('a bone level ratio', () => {
  it('names the point to place, and shows the part of the root in percent', async () => {
    const workspace = await openRealWorkspace();
    await press('Shift+K');
    await click(workspace, [200, 200]);
    await waitFor(() => expect(drawnTexts()).toEqual(['Bone level']));
    await click(workspace, [200, 260]);
    await waitFor(() => expect(drawnTexts()).toEqual(['Apex']));
    await click(workspace, [200, 400]);
    expect(only(workspace)).toMatchObject({ kind: 'ratio' });
    await waitFor(() => expect(drawnTexts()).toEqual(['30%']));
  });
});

it('a grey value profile lists the values along its line', async () => {
  const workspace = await openRealWorkspace();
  await press('Shift+D');
  await drag(workspace, [200, 200], [300, 200], [400, 200]);
  expect(only(workspace)).toMatchObject({ kind: 'profile' });
  const values = Array.from({ length: 101 }, (_, step) => ((100 * 400 + 100 + step) * 7919) % 65_536);
  const mean = Math.round(values.reduce((sum, value) => sum + value) / values.length);
  const range = `Lowest ${Math.min(...values)}, highest ${Math.max(...values)}, mean ${mean}`;
  expect(await screen.findByRole('img', { name: `Values along the line. ${range}` })).toBeDefined();
  expect(screen.getByText('Values are not bone density.')).toBeDefined();
});
