import type { TFunction } from 'i18next';
import { type ToolState, toolGroups } from './tool-groups.tsx';

export interface Shortcut {
  /** In the words of `aria-keyshortcuts`; several that do the same are alternatives. */
  readonly keys: readonly string[];
  readonly text: string;
}

export interface ShortcutGroup {
  readonly title: string;
  readonly shortcuts: readonly Shortcut[];
}

const anyState: ToolState = {
  tool: 'window',
  held: true,
  ready: true,
  inverted: false,
  horizontalFlip: false,
  noise: false,
  sharpened: false,
  fitted: false,
  actual: false,
  canStep: true,
  canGoBack: true,
  canUndo: true,
  canRedo: true,
  canReset: true,
  comparing: true,
  linked: false,
  overlays: true,
  focusMode: false,
  fullscreen: false,
};

/** Keys of the room that have no button in the toolbar. */
const withoutButton = [
  [['+', '-'], 'keyZoom'],
  [['Arrows'], 'keyPan'],
  [['Shift+Arrows'], 'keyWindow'],
  [['PageUp', 'PageDown'], 'keyFrame'],
  [['J'], 'keyCine'],
  [['Enter'], 'keyOpen'],
  [['Space'], 'keyHold'],
  [['Delete'], 'keyDeleteMark'],
] as const;

/** Every key of the room: those of the toolbar's own table, and the ones that have no button. */
export const roomShortcuts = (t: TFunction<'viewer'>): readonly ShortcutGroup[] => [
  ...toolGroups(anyState).map(({ id, actions }) => ({
    title: t(`group-${id}`),
    shortcuts: actions
      .filter(({ shortcut }) => shortcut !== '')
      .map((action) => ({ keys: [action.shortcut], text: t(`tool-${action.id}`) })),
  })),
  { title: t('group-looking'), shortcuts: withoutButton.map(([keys, text]) => ({ keys, text: t(text) })) },
];
