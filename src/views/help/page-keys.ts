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

const gallery = [
  [['Arrows'], 'key-image'],
  [['PageUp', 'PageDown'], 'key-screen'],
  [['Home', 'End'], 'key-outer'],
  [['Enter'], 'key-open-image'],
  [['Space'], 'key-choose'],
  [['Shift+Arrows'], 'key-choose-range'],
  [['Control+A'], 'key-choose-all'],
  [['Escape'], 'key-forget'],
] as const;

/** Keys of the search box, which is on every page, of every list, and of the gallery. */
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
  {
    id: 'keys-gallery',
    kind: 'keys',
    title: t('keys-gallery'),
    rows: gallery.map(([keys, text]) => ({ keys, text: t(text) })),
  },
];
