import { readFileSync } from 'node:fs';
import path from 'node:path';

const read = (...file: readonly string[]): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(path.join(import.meta.dirname, ...file), 'utf8'));

const texts = read('machine-texts.json');
/** Messages of the program by problem code. */
export const failureTexts = read('..', 'locales', 'en', 'failure.json');

/** Returns a text; throws when there is none. */
export const requiredText = (key: string): string => {
  const text = texts[key];
  if (text === undefined) throw new Error(`tools/machine-texts.json has no "${key}"`);
  return text;
};

/** Texts of one machine; null where there is none. */
export interface MachineTexts {
  readonly name: string;
  readonly about: string | null;
  readonly state: (id: string) => string | null;
  readonly event: (type: string) => string | null;
  readonly guard: (name: string) => string | null;
  readonly delay: (name: string) => string | null;
  readonly port: (name: string) => string | null;
  readonly done: (port: string) => string | null;
  readonly failed: (port: string) => string | null;
}

/** Returns the texts of a machine. */
export const textsOf = (machine: string): MachineTexts => {
  const of = (kind: string) => (name: string) => texts[`${kind}.${machine}.${name}`] ?? null;
  return {
    name: texts[`machine.${machine}`] ?? machine,
    about: texts[`machine.${machine}.about`] ?? null,
    state: (id) => texts[`state.${id}`] ?? null,
    event: of('event'),
    guard: of('guard'),
    delay: of('delay'),
    port: of('port'),
    done: of('done'),
    failed: of('failed'),
  };
};
