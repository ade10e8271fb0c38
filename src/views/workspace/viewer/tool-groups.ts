import type { KeyCommand, Tool } from '../../../viewer/index.ts';
import type { ToolState } from './tool-state.ts';
import type { ViewerAction, ViewerCommand } from './viewer-commands.ts';

/** What a button does; the locale keys of the labels end with it. */
export type ToolId =
  | Tool
  | 'back'
  | 'previous'
  | 'next'
  | 'rotateLeft'
  | 'rotateRight'
  | 'flip'
  | 'flipVertical'
  | 'invert'
  | 'noise'
  | 'sharpen'
  | 'actual'
  | 'fit'
  | 'undo'
  | 'redo'
  | 'reset'
  | 'compare'
  | 'prior'
  | 'priorMounts'
  | 'blink'
  | 'toothHistory'
  | 'link'
  | 'savePicture'
  | 'print'
  | 'secondWindow'
  | 'overlays'
  | 'marksHidden'
  | 'planesHidden'
  | 'focusMode'
  | 'fullscreen'
  | 'shortcuts';

export interface ToolAction {
  readonly id: ToolId;
  readonly shortcut: string;
  /** Null for buttons that are not toggles. */
  readonly active: boolean | null;
  /** Why it is disabled; null when enabled. */
  readonly reason: 'needsImage' | 'needsLoaded' | 'needsChange' | 'needsUndo' | 'needsRedo' | null;
  readonly command: ViewerCommand;
}

export interface ToolGroup {
  readonly id:
    | 'step'
    | 'tools'
    | 'turn'
    | 'filters'
    | 'measure'
    | 'marks'
    | 'size'
    | 'history'
    | 'compare'
    | 'link'
    | 'output'
    | 'view';
  readonly rank: number;
  /** The key that opens the group, which is one button with a menu; absent for groups with a button for each action. */
  readonly menuKey?: string;
  readonly actions: readonly ToolAction[];
}

/** Kinds of marks in the menu, with their keys. Those for measuring have their own group. */
const markKinds = [
  ['arrow', 'Shift+A'],
  ['text', 'Shift+T'],
  ['rectangle', 'Shift+Q'],
  ['ellipse', 'Shift+E'],
  ['freehand', 'Shift+P'],
  ['polyline', 'Shift+L'],
  ['area', 'Shift+G'],
  ['lineAngle', 'Shift+X'],
  ['ratio', 'Shift+K'],
  ['profile', 'Shift+D'],
] as const;

/** A button that runs one command, and shows its state when it is a toggle. */
const action = (
  id: ToolId,
  shortcut: string,
  type: ViewerAction,
  active: boolean | null = null,
  reason: ToolAction['reason'] = null,
): ToolAction => ({ id, shortcut, active, reason, command: { type } });

const step = (id: ToolId, shortcut: string, by: 1 | -1): ToolAction => ({
  id,
  shortcut,
  active: null,
  reason: null,
  command: { type: 'step', by },
});

const stepsOf = ({ canGoBack, canStep }: ToolState): readonly ToolAction[] => [
  ...(canGoBack ? [action('back', 'Escape', 'back')] : []),
  ...(canStep ? [step('previous', ',', -1), step('next', '.', 1)] : []),
];

const comparisonOf = (state: ToolState): readonly ToolAction[] => [
  ...(state.comparing === null ? [] : [action('compare', 'C', 'compare', state.comparing)]),
  ...(state.canShowPrior ? [action('prior', 'B', 'prior')] : []),
  ...(state.comparingMounts === null ? [] : [action('priorMounts', 'Shift+C', 'prior-mounts', state.comparingMounts)]),
  ...(state.canBlink ? [action('blink', 'Shift+S', 'blink')] : []),
  action('toothHistory', 'H', 'tooth-history', state.isHistoryOpen),
];

const documentGroups: readonly ToolGroup['id'][] = ['step', 'compare', 'view'];

/** Returns the toolbar buttons, by purpose. A document has none of those that change an image. */
export const toolGroups = (state: ToolState): readonly ToolGroup[] => {
  const needsPictures = state.hasPictures ? null : 'needsImage';
  const needsImage = state.ready ? null : state.held ? 'needsLoaded' : 'needsImage';
  const tool = (id: Tool, shortcut: string): ToolAction => ({
    id,
    shortcut,
    active: state.tool === id,
    reason: null,
    command: { type: 'tool', tool: id },
  });
  const onImage = (id: ToolId, shortcut: string, command: KeyCommand, active: boolean | null = null): ToolAction => ({
    id,
    shortcut,
    active,
    reason: needsImage,
    command: { type: 'stage', command },
  });

  // A mount is printed, and its changes are undone, more often than it is enlarged.
  const isMount = state.comparingMounts !== null;
  const groups: readonly ToolGroup[] = [
    { id: 'step', rank: -0.5, actions: stepsOf(state) },
    {
      id: 'tools',
      rank: 0,
      actions: [tool('window', 'W'), tool('region', 'A'), tool('pan', 'P')],
    },
    {
      id: 'turn',
      rank: 5,
      actions: [
        onImage('rotateLeft', 'Shift+R', { type: 'rotate', quarters: -1 }),
        onImage('rotateRight', 'R', { type: 'rotate', quarters: 1 }),
        onImage('flip', 'F', { type: 'flip', axis: 'horizontal' }, state.ready && state.horizontalFlip),
        onImage('flipVertical', 'Shift+F', { type: 'flip', axis: 'vertical' }),
      ],
    },
    {
      id: 'filters',
      rank: 6,
      actions: [
        onImage('invert', 'I', { type: 'invert' }, state.ready && state.inverted),
        onImage('noise', 'N', { type: 'noise' }, state.ready && state.noise),
        onImage('sharpen', 'E', { type: 'sharpen' }, state.ready && state.sharpened),
      ],
    },
    {
      id: 'measure',
      rank: 3,
      actions: [tool('length', 'L'), tool('angle', 'G'), tool('calibrate', 'K')],
    },
    {
      id: 'marks',
      rank: 3.5,
      menuKey: 'D',
      actions: [
        ...markKinds.map(([kind, key]) => tool(kind, key)),
        action('marksHidden', 'V', 'marks-hidden', state.marksHidden),
        action('planesHidden', 'Shift+V', 'planes-hidden', state.planesHidden),
      ],
    },
    {
      id: 'size',
      rank: 1,
      actions: [
        tool('zoom', 'Z'),
        onImage('actual', 'X', { type: 'actual-size' }, state.ready && state.actual),
        onImage('fit', 'Q', { type: 'fit' }, state.ready && state.fitted),
        tool('magnifier', 'M'),
      ],
    },
    {
      id: 'history',
      rank: isMount ? 0.95 : 2,
      actions: [
        action('undo', 'Control+Z', 'undo', null, state.canUndo ? null : 'needsUndo'),
        action('redo', 'Control+Shift+Z', 'redo', null, state.canRedo ? null : 'needsRedo'),
        action('reset', 'Backspace', 'reset', null, state.canReset ? null : 'needsChange'),
      ],
    },
    { id: 'compare', rank: 4, actions: comparisonOf(state) },
    // First, because linked images change together and the user must notice it.
    {
      id: 'link',
      rank: -1,
      actions: state.comparing ? [action('link', '', 'link', state.linked)] : [],
    },
    {
      id: 'output',
      rank: isMount ? 0.9 : 8,
      actions: [
        action('savePicture', 'Control+S', 'save-picture', null, needsPictures),
        action('print', 'Control+P', 'print', null, needsPictures),
        action('secondWindow', 'Shift+W', 'second-window', state.isPresented, needsPictures),
      ],
    },
    {
      id: 'view',
      rank: 7,
      actions: [
        action('overlays', 'O', 'overlays', state.overlays),
        action('focusMode', 'Shift+H', 'focus-mode', state.focusMode),
        action('fullscreen', 'Y', 'fullscreen', state.fullscreen),
        action('shortcuts', '?', 'shortcuts'),
      ],
    },
  ];
  return groups.filter(({ id, actions }) => actions.length > 0 && (!state.isDocument || documentGroups.includes(id)));
};
