import { useSearchParams } from 'wouter';
import { navigate, useHistoryState } from 'wouter/use-browser-location';
import type { z } from 'zod';
import { bounds } from '../../../contract/bounds.ts';
import { mayContainPersonalNumber, searchFromHistory, toHistoryState } from './paths.ts';

/** How one URL parameter is read and written. */
export interface UrlParam<Value> {
  /** Returns the default for a missing or invalid text. */
  parse(text: string | null): Value;
  /** Returns null to omit the parameter, as for the default. */
  format(value: Value): string | null;
}

type UrlSchema = Readonly<Record<string, UrlParam<unknown>>>;
export type UrlValues<Schema extends UrlSchema> = {
  readonly [Name in keyof Schema]: ReturnType<Schema[Name]['parse']>;
};

/** One of `values`; the default is the first. */
export const oneOf = <Value extends string>(
  values: readonly [Value, ...Value[]],
  byDefault: Value = values[0],
): UrlParam<Value> => ({
  parse: (text) => values.find((one) => one === text) ?? byDefault,
  format: (value) => (value === byDefault ? null : value),
});

/** A text that fits the zod schema, or null. */
export const optional = <Value extends string>(schema: z.ZodType<Value>): UrlParam<Value | null> => ({
  parse: (text) => schema.safeParse(text).data ?? null,
  format: (value) => value,
});

/** A whole number from 1 to `most`. */
export const positive = (byDefault: number, max = 1_000_000): UrlParam<number> => ({
  parse: (text) => {
    const number = Number(text);
    return Number.isSafeInteger(number) && number >= 1 && number <= 1_000_000 ? Math.min(max, number) : byDefault;
  },
  format: (value) => (value === byDefault ? null : String(value)),
});

/** True when the text is `1`. */
export const flag: UrlParam<boolean> = {
  parse: (text) => text === '1',
  format: (value) => (value ? '1' : null),
};

/** Search text, for the parameter `q` only: digits may be a personal number and are kept in history state instead. */
export const searchText: UrlParam<string> = {
  parse: (text) => (text ?? '').trim().slice(0, bounds.query[1]),
  format: (value) => (value === '' || mayContainPersonalNumber(value) ? null : value),
};

/** Parses URL parameters, and the search text from history state. */
export const readUrl = <Schema extends UrlSchema>(schema: Schema, params: URLSearchParams, state: unknown = null) => {
  const textOf = (name: string) => (name === 'q' && searchFromHistory(state)) || params.get(name);
  return Object.fromEntries(
    Object.entries(schema).map(([name, param]) => [name, param.parse(textOf(name))]),
  ) as UrlValues<Schema>;
};

/** Returns `params` with other values; parameters that are not in the schema stay. */
export const writeUrl = <Schema extends UrlSchema>(
  schema: Schema,
  params: URLSearchParams,
  values: UrlValues<Schema>,
): URLSearchParams => {
  const next = new URLSearchParams(params);
  for (const [name, param] of Object.entries(schema)) {
    const text = param.format(values[name]);
    if (text === null) next.delete(name);
    else next.set(name, text);
  }
  return next;
};

/** Returns a path with these parameters. */
export const withParams = (path: string, params: URLSearchParams): string =>
  params.size === 0 ? path : `${path}?${params}`;

type ChangeUrl<Values> = (change: Partial<Values>, how?: { readonly replace?: boolean }) => void;

/**
 * Keeps values in the URL. Returns them, a function that changes some of them in a new history entry (or replaces the current one),
 * and one that removes all parameters.
 */
export const useUrlState = <Schema extends UrlSchema>(
  schema: Schema,
): readonly [UrlValues<Schema>, ChangeUrl<UrlValues<Schema>>, () => void] => {
  const [params] = useSearchParams();
  const state: unknown = useHistoryState();
  const change: ChangeUrl<UrlValues<Schema>> = (next, { replace = false } = {}) => {
    const { pathname, search } = window.location;
    const now = new URLSearchParams(search);
    const values = { ...readUrl(schema, now, window.history.state), ...next };
    const { q }: { readonly q?: unknown } = values;
    const text = typeof q === 'string' ? q : searchFromHistory(window.history.state);
    navigate(withParams(pathname, writeUrl(schema, now, values)), {
      replace,
      state: mayContainPersonalNumber(text) ? toHistoryState(text) : null,
    });
  };
  return [readUrl(schema, params, state), change, () => navigate(window.location.pathname)];
};
