import type { TFunction } from 'i18next';
import type { HelpPiece } from './help-book.ts';

const searchBox = [
  [['/'], 'key-search'],
  [['Arrows'], 'key-hits'],
  [['Enter'], 'key-hit'],
  [['Escape'], 'key-clear'],
] as const;

const lists = [
  [['Arrows'], 'key-row'],
  [['PageUp', 'PageDown'], 'key-rows'],
  [['Home', 'End'], 'key-ends'],
  [['Enter'], 'key-open'],
  [['Space'], 'key-tick'],
  [['Shift+Arrows'], 'key-range'],
  [['Control+A'], 'key-all'],
] as const;

/** Keys of the search box, which is on every page, and of every list. */
export const pageKeys = (t: TFunction<'help'>): readonly HelpPiece[] => [
  {
    id: 'keys-everywhere',
    kind: 'keys',
    title: t('keys-everywhere'),
    rows: searchBox.map(([keys, text]) => ({ keys, text: t(text) })),
  },
  {
    id: 'keys-list',
    kind: 'keys',
    title: t('keys-list'),
    rows: lists.map(([keys, text]) => ({ keys, text: t(text) })),
  },
];
