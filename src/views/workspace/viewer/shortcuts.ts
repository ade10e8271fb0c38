import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { toolGroups } from './tool-groups.ts';
import type { ToolState } from './tool-state.ts';

export interface Shortcut {
  /** In `aria-keyshortcuts` syntax; several are alternatives. */
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
  hasPictures: true,
  isDocument: false,
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
  canShowPrior: true,
  comparingMounts: false,
  canBlink: true,
  isHistoryOpen: false,
  linked: false,
  overlays: true,
  marksHidden: false,
  planesHidden: false,
  focusMode: false,
  fullscreen: false,
  isPresented: false,
};

/** Shortcuts without a toolbar button. */
const withoutButton = [
  [['+', '-'], 'keyZoom'],
  [['Arrows'], 'keyPan'],
  [['Shift+Arrows'], 'keyWindow'],
  [['PageUp', 'PageDown'], 'keyFrame'],
  [['J'], 'keyCine'],
  [['Shift+PageUp', 'Shift+PageDown'], 'keyMount'],
  [['Shift+B'], 'priorLater'],
  [['S'], 'priorSwap'],
  [['Shift+N'], 'keyNote'],
  [['Shift+O'], 'keyAcceptable'],
  [['Shift+U'], 'keyNotAcceptable'],
  [['Enter'], 'keyOpen'],
  [['Space'], 'keyHold'],
  [['Delete'], 'keyDeleteMark'],
] as const;

/** Returns all shortcuts: those of the toolbar and those without a button. */
export const viewerShortcuts = (t: TFunction<'viewer'>): readonly ShortcutGroup[] => [
  ...toolGroups(anyState).map(({ id, menuKey, actions }) => ({
    title: t(`group-${id}`),
    shortcuts: [
      ...(menuKey ? [{ keys: [menuKey], text: t('keyMarks') }] : []),
      ...actions
        .filter(({ shortcut }) => shortcut !== '')
        .map((action) => ({ keys: [action.shortcut], text: t(`tool-${action.id}`) })),
    ],
  })),
  { title: t('group-looking'), shortcuts: withoutButton.map(([keys, text]) => ({ keys, text: t(text) })) },
];

/** Keys with the locale key of their description. */
export const mountKeys = [
  [['Arrows'], 'keyStep'],
  [['Home', 'End'], 'keyEnds'],
  [['Enter'], 'keyEnter'],
  [['T'], 'keyTray'],
  [['1', '18'], 'keyDigits'],
  [['U'], 'keyUnmount'],
  [['Shift+M'], 'placeAll'],
  [['Control+X'], 'keyCut'],
  [['Control+V'], 'keyPaste'],
] as const;

/** Returns the shortcuts of the mount and its tray. */
export const useMountShortcuts = (): readonly ShortcutGroup[] => {
  const { t } = useTranslation('viewset');
  return [{ title: t('keysMount'), shortcuts: mountKeys.map(([names, text]) => ({ keys: names, text: t(text) })) }];
};

/** Keys of the tooth history with the locale key of their description. */
export const historyKeys = [
  [['Arrows'], 'keyStep'],
  [['Home', 'End'], 'keyEnds'],
  [['Enter'], 'keyOpen'],
  [['Space'], 'keyMark'],
  [['C'], 'keyCompare'],
  [['1', '48'], 'keyTooth'],
  [['Escape'], 'keyClose'],
] as const;

/** Returns the shortcuts of the tooth history. */
export const useHistoryShortcuts = (): readonly ShortcutGroup[] => {
  const { t } = useTranslation('tooth-history');
  return [{ title: t('keys'), shortcuts: historyKeys.map(([names, text]) => ({ keys: names, text: t(text) })) }];
};

const named = [
  'Control',
  'Shift',
  'Backspace',
  'Enter',
  'Escape',
  'PageUp',
  'PageDown',
  'Space',
  'Delete',
  'Arrows',
] as const;
const isNamed = (key: string): key is (typeof named)[number] => named.some((name) => name === key);

/** Returns a key or chord ("Control+Shift+Z") as printed on the user's keyboard. */
export const useKeyText = () => {
  const { t } = useTranslation('viewer');
  return (shortcut: string): string =>
    shortcut === '+'
      ? shortcut
      : shortcut
          .split('+')
          .map((key) => (isNamed(key) ? t(`key-${key}`) : key))
          .join(' + ');
};
