import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Mark } from '../../../contract/displays.ts';
import { selectSettingsOf } from '../../../src/machines/viewer/viewer.machine.ts';
import { openRealWorkspace, pointer } from './real-workspace.tsx';
import { click, doubleClick, drag, drawnTexts, hold, marksOf, only, press, type Spot } from './stage-steps.ts';
import { stages } from './viewer-with-real-stage.ts';
import { imageInfo } from './workspace-fixtures.ts';

vi.mock('../../../src/viewer/index.ts', () => import('./viewer-with-real-stage.ts'));
vi.mock('../../../src/viewer/stage/renderer.ts', () => import('./no-gpu.ts'));
vi.mock('../../../src/viewer/stage/painter.ts', () => import('./no-gpu.ts'));
vi.mock('../../../src/viewer/stage/snapshot.ts', () => import('./no-gpu.ts'));

const field = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Text on the image' });
const type = async (text: string) => act(async () => void fireEvent.input(await field(), { target: { value: text } }));

beforeEach(() => {
  localStorage.clear();
  stages.length = 0;
});

describe.each([
  ['arrow', 'Shift+A'],
  ['rectangle', 'Shift+Q'],
  ['ellipse', 'Shift+E'],
] as const)('%s', (kind, key) => {
  it('is drawn by a drag, moved as a whole, changed by a point, deleted and brought back', async () => {
    const workspace = await openRealWorkspace();
    await press(key);
    await drag(workspace, [200, 200], [300, 250], [400, 300]);
    expect(only(workspace)).toMatchObject({
      kind,
      frame: 1,
      points: [
        [100, 100],
        [200, 150],
      ],
    });
    // On the line of the selected mark, away from its points.
    const onLine: Spot = kind === 'ellipse' ? [300, 200] : kind === 'arrow' ? [300, 250] : [300, 200];
    await drag(workspace, onLine, [onLine[0] + 20, onLine[1]], [onLine[0] + 40, onLine[1] + 20]);
    expect(only(workspace).points).toEqual([
      [120, 110],
      [220, 160],
    ]);
    await drag(workspace, [440, 320], [460, 340], [500, 400]);
    expect(only(workspace).points).toEqual([
      [120, 110],
      [250, 200],
    ]);
    await press('Delete');
    expect(marksOf(workspace)).toEqual([]);
    await press('Control+Z');
    expect(only(workspace).points).toEqual([
      [120, 110],
      [250, 200],
    ]);
  });
});

it('a line that crosses another one is drawn, not moved, unless the other one is selected', async () => {
  const workspace = await openRealWorkspace();
  await press('Shift+A');
  await drag(workspace, [200, 200], [300, 200], [400, 200]);
  await press('Escape');
  await drag(workspace, [300, 200], [300, 250], [300, 300]);
  expect(marksOf(workspace).map(({ points }) => points)).toEqual([
    [
      [100, 100],
      [200, 100],
    ],
    [
      [150, 100],
      [150, 150],
    ],
  ]);
});

it('a freehand line is simplified when it is drawn, and moved as a whole', async () => {
  const workspace = await openRealWorkspace();
  await press('Shift+P');
  const right = Array.from({ length: 50 }, (_, index): Spot => [200 + index * 4, 200]);
  const down = Array.from({ length: 25 }, (_, index): Spot => [396, 200 + index * 4]);
  await drag(workspace, [200, 200], ...right, ...down);
  expect(only(workspace)).toMatchObject({
    kind: 'freehand',
    points: [
      [100, 100],
      [198, 100],
      [198, 148],
    ],
  });
  await drag(workspace, [300, 200], [310, 210], [320, 220]);
  expect(only(workspace).points[0]).toEqual([110, 110]);
});

describe('a text', () => {
  it('is typed at its point and ends by Enter; keys of the page do nothing meanwhile', async () => {
    const workspace = await openRealWorkspace();
    await press('Shift+T');
    await click(workspace, [200, 200]);
    await type('canal <b>2</b>');
    await press('r', await field());
    await press('Enter', await field());
    expect(only(workspace)).toMatchObject({ kind: 'text', text: 'canal <b>2</b>', points: [[100, 100]] });
    expect(selectSettingsOf(workspace.uid)(workspace.actor.getSnapshot()).display.rotation).toBe(0);
    await waitFor(() => expect(drawnTexts()).toEqual(['canal <b>2</b>']));
    expect(document.querySelector('svg b')).toBeNull();
    expect(screen.queryByRole('textbox', { name: 'Text on the image' })).toBeNull();
  });

  it('is abandoned by Escape, and without letters makes no mark', async () => {
    const workspace = await openRealWorkspace();
    await press('Shift+T');
    await click(workspace, [200, 200]);
    await type('nothing');
    await press('Escape', await field());
    await click(workspace, [300, 200]);
    await type('  ');
    await press('Enter', await field());
    expect(marksOf(workspace)).toEqual([]);
    expect(workspace.calls.onBack).not.toHaveBeenCalled();
  });

  it('opens at once while a mark of another kind is selected; a click beside a selected text only deselects it', async () => {
    const workspace = await openRealWorkspace();
    await press('Shift+A');
    await drag(workspace, [500, 400], [560, 430], [600, 450]);
    await press('Shift+T');
    await click(workspace, [200, 200]);
    await type('apex');
    await press('Enter', await field());
    await click(workspace, [300, 400]);
    expect(screen.queryByRole('textbox', { name: 'Text on the image' })).toBeNull();
    await click(workspace, [300, 400]);
    await press('Escape', await field());
    expect(marksOf(workspace).map(({ kind }) => kind)).toEqual(['arrow', 'text']);
  });

  it('is kept when the field loses the focus', async () => {
    const workspace = await openRealWorkspace();
    await press('Shift+T');
    await click(workspace, [200, 200]);
    await type('apex');
    await act(async () => void fireEvent.blur(await field()));
    expect(only(workspace)).toMatchObject({ text: 'apex' });
  });

  it('is moved by a drag, and changed by a double click or Enter', async () => {
    const workspace = await openRealWorkspace();
    await press('Shift+T');
    await click(workspace, [200, 200]);
    await type('apex');
    await press('Enter', await field());
    await drag(workspace, [210, 208], [230, 208], [250, 228]);
    expect(only(workspace)).toMatchObject({ text: 'apex', points: [[120, 110]] });
    await doubleClick(workspace, [250, 228]);
    expect((await field()).value).toBe('apex');
    await type('apex 36');
    await press('Enter', await field());
    expect(only(workspace)).toMatchObject({ text: 'apex 36', points: [[120, 110]] });
    await press('Enter');
    await type('');
    await press('Enter', await field());
    expect(marksOf(workspace)).toEqual([]);
    await press('Control+Z');
    expect(only(workspace)).toMatchObject({ text: 'apex 36' });
  });
});

it('what is sent names the changed annotations only, and the deleted ones', async () => {
  const stored: Mark = {
    id: '00000000-0000-4000-8000-0000000000aa',
    kind: 'arrow',
    frame: 1,
    points: [
      [10, 10],
      [50, 10],
    ],
  };
  const images = [
    imageInfo(1, { annotations: [stored, { id: '00000000-0000-4000-8000-0000000000ab', kind: 'spiral' }] }),
  ];
  const workspace = await openRealWorkspace({ images });
  expect(screen.getByText(/1 mark was drawn with a newer version/)).toBeTruthy();
  await press('Shift+A');
  await drag(workspace, [200, 200], [300, 250], [400, 300]);
  await act(async () => workspace.actor.send({ type: 'page.hidden' }));
  const [added] = marksOf(workspace).filter(({ id }) => id !== stored.id);
  expect(workspace.saved.at(-1)).toMatchObject([{ kind: 'marks', annotations: [added] }]);
  expect(workspace.saved.at(-1)?.[0]).not.toHaveProperty('deletedAnnotations');
});

it('author and time of a mark are shown in the list, and on the image under the pointer or when it is selected', async () => {
  const mark: Mark = {
    id: '00000000-0000-4000-8000-0000000000aa',
    kind: 'arrow',
    frame: 1,
    points: [
      [100, 100],
      [200, 100],
    ],
  };
  const other: Mark = {
    ...mark,
    id: '00000000-0000-4000-8000-0000000000ab',
    points: [
      [100, 200],
      [200, 200],
    ],
  };
  const author = { markId: mark.id, accountId: mark.id, name: 'Maja Lindqvist', at: '2026-03-02T10:15:00.000Z' };
  const images = [imageInfo(1, { annotations: [mark, other], markAuthors: [author] })];
  const workspace = await openRealWorkspace({ images });
  const list = screen.getByRole('list', { name: 'Marks' });
  expect(list.textContent).toMatch(/Maja Lindqvist, 2026-03-02 \d\d:15/);
  const notes = () => drawnTexts().filter((text) => text?.includes('Maja Lindqvist'));
  await waitFor(() => expect(drawnTexts()).toHaveLength(2));
  expect(notes()).toEqual([]);
  await pointer(workspace.canvas, 'pointermove', 300, 200);
  await waitFor(() => expect(notes()).toHaveLength(1));
  await pointer(workspace.canvas, 'pointermove', 300, 400);
  await waitFor(() => expect(notes()).toEqual([]));
  await press('Shift+A');
  await click(workspace, [300, 200]);
  await pointer(workspace.canvas, 'pointermove', 700, 500);
  await waitFor(() => expect(notes()).toHaveLength(1));
  // Once it is changed, they would be those of the mark before.
  await drag(workspace, [300, 200], [320, 200], [340, 240]);
  await waitFor(() => expect(notes()).toEqual([]));
  expect(list.textContent).not.toContain('Maja Lindqvist');
});

describe('by keys', () => {
  it('a line starts in the middle of the image, arrow keys move its points, and Enter fixes them', async () => {
    const workspace = await openRealWorkspace();
    await press('L');
    expect(marksOf(workspace)).toEqual([]);
    await press('ArrowLeft');
    await press('Enter');
    await hold('ArrowRight', 3);
    await press('ArrowDown');
    await waitFor(() => expect(document.querySelectorAll('svg [data-mark=draft]')).toHaveLength(1));
    await press('Enter');
    // 400 x 300 pixels, two CSS pixels each: one a press, ten a repeat.
    expect(only(workspace)).toMatchObject({
      kind: 'length',
      points: [
        [199.5, 150],
        [215, 150.5],
      ],
    });
    await press('Delete');
    expect(marksOf(workspace)).toEqual([]);
  });

  it('a key of the tool draws another line, and Escape leaves it', async () => {
    const workspace = await openRealWorkspace();
    for (const key of ['L', 'Enter', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'Enter']) await press(key);
    await press('L');
    await press('Enter');
    await press('Escape');
    await press('ArrowRight');
    expect(marksOf(workspace)).toHaveLength(1);
    expect(document.querySelector('svg [data-mark=draft]')).toBeNull();
  });

  it('a line of any length ends where Enter is pressed twice', async () => {
    const workspace = await openRealWorkspace();
    await press('Shift+L');
    await press('Enter');
    await hold('ArrowRight', 2);
    await press('Enter');
    await hold('ArrowDown', 2);
    await press('Enter');
    await press('Enter');
    expect(only(workspace)).toMatchObject({
      kind: 'polyline',
      points: [
        [200, 150],
        [210.5, 150],
        [210.5, 160.5],
      ],
    });
  });

  it('a text is typed at the point', async () => {
    const workspace = await openRealWorkspace();
    await press('Shift+T');
    expect(screen.queryByRole('textbox', { name: 'Text on the image' })).toBeNull();
    await press('Enter');
    await type('Karies?');
    await act(async () => void fireEvent.blur(await field()));
    expect(only(workspace)).toMatchObject({ kind: 'text', text: 'Karies?', points: [[200, 150]] });
  });

  it('stays inside the image', async () => {
    const workspace = await openRealWorkspace();
    await press('L');
    await press('Enter');
    await hold('ArrowRight', 60);
    await press('Enter');
    expect(only(workspace).points.at(-1)).toEqual([400, 150]);
  });

  it('the pointer draws as ever once it moves over the image', async () => {
    const workspace = await openRealWorkspace();
    await press('L');
    await waitFor(() => expect(document.querySelector('svg [data-mark=draft]')).not.toBeNull());
    await pointer(workspace.canvas, 'pointermove', 250, 250);
    await waitFor(() => expect(document.querySelector('svg [data-mark=draft]')).toBeNull());
    await drag(workspace, [200, 200], [300, 250], [400, 300]);
    expect(only(workspace).points).toEqual([
      [100, 100],
      [200, 150],
    ]);
    await press('ArrowRight');
    expect(marksOf(workspace)).toHaveLength(1);
  });
});
