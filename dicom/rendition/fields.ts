import { DicomProblem } from '../problem.ts';
import { fromBase64 } from './container.ts';

const wrong = (what: string) => new DicomProblem('malformed', `the head of the rendition is wrong: ${what}`);

/** Reads the fields of an untrusted object. Errors name the field. @throws DicomProblem 'malformed' */
export interface Fields {
  readonly integer: (name: string, min: number, max: number) => number;
  readonly number: (name: string) => number;
  readonly flag: (name: string) => boolean;
  readonly text: (name: string) => string;
  readonly textOrNull: (name: string) => string | null;
  readonly oneOf: <Word extends string | number>(name: string, words: readonly Word[]) => Word;
  /** Null for a missing or unknown word. */
  readonly oneOfOrNull: <Word extends string>(name: string, words: readonly Word[]) => Word | null;
  readonly bytes: (name: string) => Uint8Array;
  readonly words: (name: string) => Uint16Array;
  readonly child: (name: string) => Fields;
  readonly childOrNull: (name: string) => Fields | null;
  /** Null also for a field that an older writer does not have. */
  readonly optionalChild: (name: string) => Fields | null;
  readonly children: (name: string) => readonly Fields[];
  /** Empty for a field that an older writer does not have. */
  readonly optionalChildren: (name: string) => readonly Fields[];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const table = (value: unknown, kind: 'u8' | 'u16', where: string): Uint8Array => {
  const text = isObject(value) ? value[kind] : undefined;
  if (typeof text !== 'string') throw wrong(`${where} is no table`);
  try {
    return fromBase64(text);
  } catch {
    throw wrong(`${where} is no base64`);
  }
};

const specialNumbers: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
};

export const fieldsOf = (value: unknown, where: string): Fields => {
  if (!isObject(value)) throw wrong(`${where} is no object`);
  const at = (name: string) => `${where}.${name}`;

  const number = (name: string): number => {
    const given = value[name];
    const special = isObject(given) && typeof given.number === 'string' ? specialNumbers[given.number] : undefined;
    if (special !== undefined) return special;
    if (typeof given !== 'number') throw wrong(`${at(name)} is no number`);
    return given;
  };
  const text = (name: string): string => {
    const given = value[name];
    if (typeof given !== 'string') throw wrong(`${at(name)} is no text`);
    return given;
  };

  const children = (name: string): readonly Fields[] => {
    const list: unknown = value[name];
    if (!Array.isArray(list)) throw wrong(`${at(name)} is no list`);
    return list.map((entry: unknown, index) => fieldsOf(entry, `${at(name)}[${index}]`));
  };

  return {
    number,
    text,
    integer: (name, min, max) => {
      const given = number(name);
      if (Number.isInteger(given) && given >= min && given <= max) return given;
      throw wrong(`${at(name)} is ${given}, not a whole number from ${min} to ${max}`);
    },
    flag: (name) => {
      const given = value[name];
      if (typeof given !== 'boolean') throw wrong(`${at(name)} is neither true nor false`);
      return given;
    },
    textOrNull: (name) => (value[name] === null ? null : text(name)),
    oneOf: (name, words) => {
      const found = words.find((word) => word === value[name]);
      if (found === undefined) throw wrong(`${at(name)} is none of ${words.join(', ')}`);
      return found;
    },
    oneOfOrNull: (name, words) => words.find((word) => word === value[name]) ?? null,
    bytes: (name) => table(value[name], 'u8', at(name)),
    words: (name) => {
      const bytes = table(value[name], 'u16', at(name));
      if (bytes.length % 2 === 1) throw wrong(`${at(name)} ends inside a word`);
      return new Uint16Array(bytes.buffer, 0, bytes.length / 2);
    },
    child: (name) => fieldsOf(value[name], at(name)),
    childOrNull: (name) => (value[name] === null ? null : fieldsOf(value[name], at(name))),
    optionalChild: (name) =>
      value[name] === undefined || value[name] === null ? null : fieldsOf(value[name], at(name)),
    children,
    optionalChildren: (name) => (value[name] === undefined ? [] : children(name)),
  };
};
