import { type ImageKind, imageKinds } from '../../../../contract/image-kinds.ts';
import { allTeeth, successorOf } from '../../../../contract/teeth.ts';
import { flag, oneOf, readUrl, type UrlParam, writeUrl } from '../../app/url-state.ts';

/** Which teeth a history shows: the tooth, its sextant, its jaw, or all. */
export const spans = ['tooth', 'sextant', 'jaw', 'all'] as const;
export type Span = (typeof spans)[number];

/** The open tooth history, stored in the URL. */
export interface HistoryView {
  /** A permanent tooth (ISO 3950); null for a history of all teeth. */
  readonly tooth: number | null;
  readonly span: Span;
  /** None: all. */
  readonly kinds: readonly ImageKind[];
  /** Adds panoramic radiographs whose teeth are not specified. */
  readonly panoramics: boolean;
}

const every = 'all';

const historyParams = {
  /** A tooth, or `all`; null when no history is open. A deciduous tooth is shown with its successor. */
  history: {
    parse: (text) => {
      const tooth = allTeeth.find((iso) => String(iso) === text);
      if (tooth !== undefined) return successorOf(tooth);
      return text === every ? every : null;
    },
    format: (value) => (value === null ? null : String(value)),
  } satisfies UrlParam<number | typeof every | null>,
  span: oneOf(spans),
  kinds: {
    parse: (text) => imageKinds.filter((kind) => (text ?? '').split(',').includes(kind)) as readonly ImageKind[],
    format: (kinds) => kinds.join(',') || null,
  } satisfies UrlParam<readonly ImageKind[]>,
  panoramics: flag,
} as const;

/** Returns the history of a URL, or null. */
export const parseHistory = (params: URLSearchParams): HistoryView | null => {
  const { history, ...view } = readUrl(historyParams, params);
  if (history === null) return null;
  return history === every ? { ...view, tooth: null, span: 'all' } : { ...view, tooth: history };
};

/** Returns the URL parameters of a history, such as `history=36&span=sextant`; empty for none. */
export const formatHistory = (view: HistoryView | null): string => {
  if (view === null) return '';
  const { tooth, span, ...filters } = view;
  const values = { ...filters, history: tooth ?? every, span: tooth === null ? spans[0] : span } as const;
  return writeUrl(historyParams, new URLSearchParams(), values).toString();
};

/** Returns the history of a tooth, of a deciduous one at its successor's place; of all teeth for null. */
export const historyOf = (tooth: number | null): HistoryView => ({
  tooth: tooth && successorOf(tooth),
  span: tooth === null ? 'all' : 'tooth',
  kinds: [],
  panoramics: false,
});
