import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs';
import IconArrowForwardUp from '@tabler/icons-react/dist/esm/icons/IconArrowForwardUp.mjs';
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs';
import IconBlink from '@tabler/icons-react/dist/esm/icons/IconArrowsDiff.mjs';
import IconArrowsMaximize from '@tabler/icons-react/dist/esm/icons/IconArrowsMaximize.mjs';
import IconMarksOff from '@tabler/icons-react/dist/esm/icons/IconBallpenOff.mjs';
import IconBrightness from '@tabler/icons-react/dist/esm/icons/IconBrightness.mjs';
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs';
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs';
import IconColumns2 from '@tabler/icons-react/dist/esm/icons/IconColumns2.mjs';
import IconContrast from '@tabler/icons-react/dist/esm/icons/IconContrast.mjs';
import IconDental from '@tabler/icons-react/dist/esm/icons/IconDental.mjs';
import IconEyeOff from '@tabler/icons-react/dist/esm/icons/IconEyeOff.mjs';
import IconFlipHorizontal from '@tabler/icons-react/dist/esm/icons/IconFlipHorizontal.mjs';
import IconFlipVertical from '@tabler/icons-react/dist/esm/icons/IconFlipVertical.mjs';
import IconGrain from '@tabler/icons-react/dist/esm/icons/IconGrain.mjs';
import IconHandMove from '@tabler/icons-react/dist/esm/icons/IconHandMove.mjs';
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs';
import IconKeyboard from '@tabler/icons-react/dist/esm/icons/IconKeyboard.mjs';
import IconLayersOff from '@tabler/icons-react/dist/esm/icons/IconLayersOff.mjs';
import IconLayout from '@tabler/icons-react/dist/esm/icons/IconLayout2.mjs';
import IconLink from '@tabler/icons-react/dist/esm/icons/IconLink.mjs';
import IconMarquee from '@tabler/icons-react/dist/esm/icons/IconMarquee2.mjs';
import IconMaximize from '@tabler/icons-react/dist/esm/icons/IconMaximize.mjs';
import IconPhotoDown from '@tabler/icons-react/dist/esm/icons/IconPhotoDown.mjs';
import IconPresentation from '@tabler/icons-react/dist/esm/icons/IconPresentation.mjs';
import IconPrinter from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs';
import IconRestore from '@tabler/icons-react/dist/esm/icons/IconRestore.mjs';
import IconRotate2 from '@tabler/icons-react/dist/esm/icons/IconRotate2.mjs';
import IconRotateClockwise2 from '@tabler/icons-react/dist/esm/icons/IconRotateClockwise2.mjs';
import IconCalibrate from '@tabler/icons-react/dist/esm/icons/IconRulerMeasure.mjs';
import IconTextCaption from '@tabler/icons-react/dist/esm/icons/IconTextCaption.mjs';
import IconTriangle from '@tabler/icons-react/dist/esm/icons/IconTriangle.mjs';
import IconZoomIn from '@tabler/icons-react/dist/esm/icons/IconZoomIn.mjs';
import IconZoomScan from '@tabler/icons-react/dist/esm/icons/IconZoomScan.mjs';
import type { ReactNode } from 'react';
import type { Tool } from '../../../viewer/index.ts';
import { markIcons } from './mark-icons.tsx';
import type { ToolState } from './tool-state.ts';
import type { ViewerAction, ViewerCommand } from './viewer-commands.ts';

export interface ToolAction {
  /** Locale key of its label. */
  readonly id: ToolId;
  readonly shortcut: string;
  readonly icon: ReactNode;
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

const documentGroups: readonly ToolGroup['id'][] = ['step', 'compare', 'view'];

/** Returns the toolbar buttons, by purpose. A document has none of those that change an image. */
export const toolGroups = (state: ToolState): readonly ToolGroup[] => {
  const needsPictures = state.hasPictures ? null : 'needsImage';
  const needsImage = state.ready ? null : state.held ? 'needsLoaded' : 'needsImage';
  const tool = (id: Tool, shortcut: string, icon: ReactNode): ToolAction => ({
    id,
    shortcut,
    icon,
    active: state.tool === id,
    reason: null,
    command: { type: 'tool', tool: id },
  });
  const onImage = (
    id: ToolId,
    shortcut: string,
    icon: ReactNode,
    command: ViewerCommand,
    active: boolean | null = null,
  ): ToolAction => ({ id, shortcut, icon, active, reason: needsImage, command });
  const plain = (id: ToolId, shortcut: string, icon: ReactNode, command: ViewerCommand): ToolAction => ({
    id,
    shortcut,
    icon,
    active: null,
    reason: null,
    command,
  });
  const action = (
    id: ToolId,
    shortcut: string,
    icon: ReactNode,
    type: ViewerAction,
    active: boolean | null = null,
    reason: ToolAction['reason'] = null,
  ): ToolAction => ({ id, shortcut, icon, active, reason, command: { type } });
  const stage = (command: Extract<ViewerCommand, { type: 'stage' }>['command']): ViewerCommand => ({
    type: 'stage',
    command,
  });

  const steps: readonly ToolAction[] = [
    ...(state.canGoBack ? [action('back', 'Escape', <IconArrowLeft key="back" />, 'back')] : []),
    ...(state.canStep
      ? [
          plain('previous', ',', <IconChevronLeft key="previous" />, { type: 'step', by: -1 }),
          plain('next', '.', <IconChevronRight key="next" />, { type: 'step', by: 1 }),
        ]
      : []),
  ];
  const comparison: readonly ToolAction[] = [
    ...(state.comparing === null
      ? []
      : [action('compare', 'C', <IconColumns2 key="compare" />, 'compare', state.comparing)]),
    ...(state.canShowPrior ? [action('prior', 'B', <IconHistory key="prior" />, 'prior')] : []),
    ...(state.comparingMounts === null
      ? []
      : [action('priorMounts', 'Shift+C', <IconLayout key="priorMounts" />, 'prior-mounts', state.comparingMounts)]),
    ...(state.canBlink ? [action('blink', 'Shift+S', <IconBlink key="blink" />, 'blink')] : []),
  ];
  const groups: readonly ToolGroup[] = [
    { id: 'step', rank: -0.5, actions: steps },
    {
      id: 'tools',
      rank: 0,
      actions: [
        tool('window', 'W', <IconBrightness />),
        tool('region', 'A', <IconMarquee />),
        tool('pan', 'P', <IconHandMove />),
      ],
    },
    {
      id: 'turn',
      rank: 5,
      actions: [
        onImage('rotateLeft', 'Shift+R', <IconRotate2 />, stage({ type: 'rotate', quarters: -1 })),
        onImage('rotateRight', 'R', <IconRotateClockwise2 />, stage({ type: 'rotate', quarters: 1 })),
        onImage(
          'flip',
          'F',
          <IconFlipHorizontal />,
          stage({ type: 'flip', axis: 'horizontal' }),
          state.ready && state.horizontalFlip,
        ),
        onImage('flipVertical', 'Shift+F', <IconFlipVertical />, stage({ type: 'flip', axis: 'vertical' })),
      ],
    },
    {
      id: 'filters',
      rank: 6,
      actions: [
        onImage('invert', 'I', <IconContrast />, stage({ type: 'invert' }), state.ready && state.inverted),
        onImage('noise', 'N', <IconGrain />, stage({ type: 'noise' }), state.ready && state.noise),
        onImage('sharpen', 'E', <IconTriangle />, stage({ type: 'sharpen' }), state.ready && state.sharpened),
      ],
    },
    {
      id: 'measure',
      rank: 3,
      actions: [
        tool('length', 'L', markIcons.length),
        tool('angle', 'G', markIcons.angle),
        tool('calibrate', 'K', <IconCalibrate />),
      ],
    },
    {
      id: 'marks',
      rank: 3.5,
      menuKey: 'D',
      actions: [
        ...markKinds.map(([kind, key]) => tool(kind, key, markIcons[kind])),
        action('marksHidden', 'V', <IconMarksOff />, 'marks-hidden', state.marksHidden),
        action('planesHidden', 'Shift+V', <IconLayersOff />, 'planes-hidden', state.planesHidden),
      ],
    },
    {
      id: 'size',
      rank: 1,
      actions: [
        tool('zoom', 'Z', <IconZoomIn />),
        onImage('actual', 'X', <b>1:1</b>, stage({ type: 'actual-size' }), state.ready && state.actual),
        onImage('fit', 'Q', <IconArrowsMaximize />, stage({ type: 'fit' }), state.ready && state.fitted),
        tool('magnifier', 'M', <IconZoomScan />),
      ],
    },
    {
      id: 'history',
      rank: 2,
      actions: [
        action('undo', 'Control+Z', <IconArrowBackUp />, 'undo', null, state.canUndo ? null : 'needsUndo'),
        action('redo', 'Control+Shift+Z', <IconArrowForwardUp />, 'redo', null, state.canRedo ? null : 'needsRedo'),
        action('reset', 'Backspace', <IconRestore />, 'reset', null, state.canReset ? null : 'needsChange'),
      ],
    },
    {
      id: 'compare',
      rank: 4,
      actions: [
        ...comparison,
        action('toothHistory', 'H', <IconDental key="toothHistory" />, 'tooth-history', state.isHistoryOpen),
      ],
    },
    // First, because linked images change together and the user must notice it.
    {
      id: 'link',
      rank: -1,
      actions: state.comparing ? [action('link', '', <IconLink key="link" />, 'link', state.linked)] : [],
    },
    {
      id: 'output',
      // A mount is printed and shown more often than enlarged.
      rank: state.comparingMounts === null ? 8 : 0.9,
      actions: [
        action('savePicture', 'Control+S', <IconPhotoDown />, 'save-picture', null, needsPictures),
        action('print', 'Control+P', <IconPrinter />, 'print', null, needsPictures),
        action('secondWindow', 'Shift+W', <IconPresentation />, 'second-window', state.isPresented, needsPictures),
      ],
    },
    {
      id: 'view',
      rank: 7,
      actions: [
        action('overlays', 'O', <IconTextCaption />, 'overlays', state.overlays),
        action('focusMode', 'Shift+H', <IconEyeOff />, 'focus-mode', state.focusMode),
        action('fullscreen', 'Y', <IconMaximize />, 'fullscreen', state.fullscreen),
        action('shortcuts', '?', <IconKeyboard />, 'shortcuts'),
      ],
    },
  ];
  return groups.filter(({ id, actions }) => actions.length > 0 && (!state.isDocument || documentGroups.includes(id)));
};
