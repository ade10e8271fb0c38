/** Masked JSON: without names, numbers, addresses, texts or secrets. */
export type Masked = string | number | boolean | null | readonly Masked[] | { readonly [key: string]: Masked };

/** Fields whose text comes from the program and contains no personal data. */
const programWords = new Set([
  'type',
  'kind',
  'status',
  'step',
  'code',
  'tool',
  'where',
  'what',
  'way',
  'method',
  'mode',
  'theme',
  'language',
  'end',
  'problem',
  'reason',
  'match',
  'layout',
  'layoutDirection',
  'filter',
  'claims',
  'obstacles',
]);
const word = /^[a-z][A-Za-z]*([.-][A-Za-z]+)*$/;
const maxSigns = 48;
const uuid = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-([\da-f]{12})/gi;
const isUuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const fieldName = /^_?[a-z][A-Za-z0-9]{0,40}$/;
const maxNumberLength = 10_000_000;
const [maxItems, deepest] = [20, 8];

/** Abbreviates an id so that it stays distinguishable. */
const endOfId = (text: string) => `…${text.slice(-4)}`;

/** Masks the name of an actor or event: ids are abbreviated, other non-words removed. */
export const maskedName = (name: string): string =>
  name
    .replace(uuid, (id) => endOfId(id))
    .split('.')
    .map((part) => (/^(\*|[a-z][A-Za-z0-9-]*|…[\da-f]{4})$/.test(part) || /^\d{1,4}$/.test(part) ? part : '?'))
    .join('.')
    .slice(0, 120);

const maskedText = (text: string, field: string): string => {
  if (text === '') return '(empty)';
  if (isUuid.test(text)) return endOfId(text);
  if (programWords.has(field) && text.length <= maxSigns && word.test(text)) return text;
  return '(text)';
};

const isActor = (value: object): value is { readonly id: string } => 'sessionId' in value && 'getSnapshot' in value;

/** Objects shown by their type only. */
const nameOfThing = (value: object): string | null => {
  if (isActor(value)) return `(actor ${maskedName(value.id)})`;
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return '(bytes)';
  if (typeof Blob !== 'undefined' && value instanceof Blob) return '(file)';
  if (value instanceof Date) return '(date)';
  if (value instanceof Promise) return '(promise)';
  return null;
};

/**
 * Masks a value of a machine for display with a real archive: shows structure, booleans, small numbers and words of the program. All else
 * is shown as its type without length, as it may be a password. Never throws; depth is limited to 8.
 */
export const masked = (value: unknown, field = '', depth = 0): Masked => {
  if (value === null || typeof value === 'boolean') return value;
  if (value === undefined) return '(nothing)';
  if (typeof value === 'number')
    return Number.isFinite(value) && Math.abs(value) < maxNumberLength ? value : '(number)';
  if (typeof value === 'string') return maskedText(value, field);
  if (typeof value !== 'object') return `(${typeof value})`;
  const thing = nameOfThing(value);
  if (thing) return thing;
  if (depth >= deepest) return '(deeper)';
  if (value instanceof Error) {
    const failure: unknown = 'failure' in value ? value.failure : null;
    return { error: '(text)', failure: masked(failure, 'failure', depth + 1) };
  }
  if (value instanceof Map) return { map: masked([...value.entries()], field, depth + 1) };
  if (Array.isArray(value) || value instanceof Set) {
    const items = [...value];
    const shown = items.slice(0, maxItems).map((item) => masked(item, field, depth + 1));
    return items.length > maxItems ? [...shown, `(${items.length - maxItems} more)`] : shown;
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item], index) => {
      const isField = fieldName.test(key);
      const name = isUuid.test(key) ? endOfId(key) : isField ? key : `(key ${index + 1})`;
      return [name, masked(item, isField ? key : '', depth + 1)];
    }),
  );
};
