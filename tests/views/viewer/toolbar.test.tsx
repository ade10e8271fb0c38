import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { toolGroups } from '../../../src/views/workspace/viewer/tool-groups.ts';
import type { ToolState } from '../../../src/views/workspace/viewer/tool-state.ts';
import { isTakenBy, viewerCommandOf } from '../../../src/views/workspace/viewer/viewer-keys.ts';
import { groupsInRow, ViewerToolbar } from '../../../src/views/workspace/viewer/viewer-toolbar.tsx';
import { show } from '../render.tsx';
import { toolState } from './workspace-fixtures.ts';

vi.mock('../../../src/viewer/index.ts', () => import('./viewer-without-gpu.ts'));

const showToolbar = async (changes: Partial<ToolState> = {}) => {
  const onCommand = vi.fn();
  await show(
    <ViewerToolbar
      state={toolState(changes)}
      bar={null}
      onCommand={onCommand}
      marksMenu={false}
      onMarksMenu={vi.fn()}
    />,
  );
  const toolbar = screen.getByRole('toolbar', { name: 'Image tools' });
  return { onCommand, button: (name: string) => within(toolbar).getByRole('button', { name }) };
};

describe('the toolbar', () => {
  it('has one button per action, and shows which are on', async () => {
    const { button } = await showToolbar({ tool: 'length', inverted: true });
    expect(button('Length').getAttribute('aria-pressed')).toBe('true');
    expect(button('Window: brightness and contrast').getAttribute('aria-pressed')).toBe('false');
    expect(button('Invert').getAttribute('aria-pressed')).toBe('true');
    expect(button('Turn left').getAttribute('aria-pressed')).toBeNull();
  });

  it('sends the commands of its buttons', async () => {
    const { button, onCommand } = await showToolbar();
    fireEvent.click(button('Turn right'));
    fireEvent.click(button('Magnifier'));
    fireEvent.click(button('Undo'));
    expect(onCommand.mock.calls.map(([command]) => command)).toEqual([
      { type: 'stage', command: { type: 'rotate', quarters: 1 } },
      { type: 'tool', tool: 'magnifier' },
      { type: 'undo' },
    ]);
  });

  it('shows why an action is disabled, and does not run it', async () => {
    const { button, onCommand } = await showToolbar({ held: false, ready: false, canUndo: false });
    expect(button('Mirror').getAttribute('aria-disabled')).toBe('true');
    expect(button('Mirror').getAttribute('aria-description')).toBe('Choose an image first.');
    expect(button('Undo').getAttribute('aria-description')).toBe('Nothing to undo.');
    fireEvent.click(button('Mirror'));
    fireEvent.click(button('Undo'));
    expect(onCommand).not.toHaveBeenCalled();
  });

  it('offers the link only in a comparison', async () => {
    const { button } = await showToolbar({ comparing: true, linked: true });
    expect(button('Link images').getAttribute('aria-pressed')).toBe('true');
    expect(toolGroups(toolState()).flatMap(({ actions }) => actions.map(({ id }) => id))).not.toContain('link');
    const alone = toolGroups(toolState({ comparing: null, canShowPrior: false }));
    expect(alone.flatMap(({ actions }) => actions.map(({ id }) => id))).not.toContain('compare');
    expect(alone.flatMap(({ actions }) => actions.map(({ id }) => id))).not.toContain('prior');
  });

  it.each([
    [
      'beside the tools in a comparison on a phone',
      382,
      { comparing: true, canGoBack: true },
      ['step', 'tools', 'link'],
    ],
    ['before all tools in a narrower one', 352, { comparing: true, canGoBack: true }, ['step', 'link']],
    ['print and save in a mount', 330, { canStep: false, comparingMounts: false }, ['tools', 'output']],
    ['undo in a wider mount', 480, { canStep: false, comparingMounts: false }, ['tools', 'history', 'output']],
  ] as const)('keeps in a narrow row: %s', (_, width, state, expected) => {
    const groups = toolGroups(toolState({ canGoBack: false, comparing: null, ...state }));
    const measured = groups.map(({ id, rank, menuKey, actions }) => ({
      id,
      rank,
      count: menuKey ? 1 : actions.length,
    }));
    const standing = groupsInRow(measured, width, 44);
    expect(groups.map(({ id }) => id).filter((id) => standing.has(id))).toEqual(expected);
  });

  it('offers no tools of an image on a document', () => {
    const onImage = toolGroups(toolState({ comparing: null, canShowPrior: false, comparingMounts: null }));
    const onDocument = toolGroups(
      toolState({ comparing: null, canShowPrior: false, comparingMounts: null, isDocument: true }),
    );
    expect(onImage.map(({ id }) => id)).toContain('turn');
    expect(onDocument.map(({ id }) => id)).toEqual(['step', 'compare', 'view']);
  });
});

const pressOf = (shortcut: string) => {
  const parts = shortcut.split('+');
  const key = parts.at(-1) ?? '';
  return {
    key: key.length === 1 && !parts.includes('Shift') ? key.toLowerCase() : key,
    shiftKey: parts.includes('Shift'),
    ctrlKey: parts.includes('Control'),
    metaKey: false,
    altKey: false,
  };
};

describe('the shortcuts of the viewer workspace', () => {
  const actions = toolGroups(toolState({ comparing: true })).flatMap((group) => group.actions);
  const withKey = actions.filter(({ shortcut, id }) => shortcut !== '' && id !== 'back');

  it.each(withKey.map((action) => [action.shortcut, action.id, action.command] as const))(
    'run the same command with %s as the button %s',
    (shortcut, _, command) => {
      // A drawing tool that is chosen by its key is drawn with by keys.
      const byKey = command.type === 'tool' ? { byKey: true } : {};
      expect(viewerCommandOf(pressOf(shortcut))).toEqual({ ...command, ...byKey });
    },
  );

  it('are unique among buttons', () => {
    const keys = actions.map(({ shortcut }) => shortcut).filter((shortcut) => shortcut !== '');
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('leave Escape to the stage, which knows whether something is being drawn', () => {
    expect(viewerCommandOf(pressOf('Escape'))).toEqual({ type: 'stage', command: { type: 'abandon' } });
  });

  it("leave the browser's shortcuts alone", () => {
    for (const shortcut of ['Control+R', 'Control+F', 'Control+W', 'Control+C'])
      expect(viewerCommandOf(pressOf(shortcut))).toBeNull();
  });
});

describe('keys that belong to the focused element', () => {
  const made = (html: string) => {
    document.body.innerHTML = html;
    return document.body.firstElementChild;
  };

  it.each([
    ['<input aria-label="name">', ['r', 'ArrowLeft', 'Enter', 'Escape'], []],
    ['<div role="dialog"></div>', ['r', 'ArrowLeft', 'Enter', 'Escape'], []],
    ['<input type="range">', ['ArrowLeft', 'PageUp', 'Enter'], ['r', 'Escape', 'Backspace']],
    ['<span role="slider"></span>', ['ArrowLeft', 'Home'], ['r', 'Escape']],
    ['<button></button>', ['Enter', ' '], ['r', 'ArrowLeft', 'PageDown', 'Escape']],
    ['<a href="/"></a>', ['Enter'], ['PageDown', 'w']],
    ['<video controls></video>', ['ArrowLeft', ' '], ['r', 'Escape']],
    ['<canvas></canvas>', [], ['Enter', 'ArrowLeft', 'r']],
    ['<div role="listbox" data-mount></div>', [], ['Enter', 'r']],
  ])('%s handles %j and leaves %j to the workspace', (html, handled, left) => {
    const element = made(html);
    expect([...handled, ...left].filter((key) => isTakenBy(element, key))).toEqual(handled);
  });
});

describe('the groups in a row', () => {
  const groups = [
    { id: 'a', rank: 1, count: 4 },
    { id: 'b', rank: 3, count: 3 },
    { id: 'c', rank: 2, count: 2 },
  ];

  it('all stay when there is enough space', () => {
    expect([...groupsInRow(groups, 400, 40)]).toEqual(['a', 'b', 'c']);
  });

  it('are hidden by rank, with space for the menu', () => {
    expect([...groupsInRow(groups, 340, 40)].toSorted()).toEqual(['a', 'c']);
    expect([...groupsInRow(groups, 250, 40)]).toEqual(['a']);
    expect([...groupsInRow(groups, 120, 40)]).toEqual([]);
  });
});
