import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Language } from '../../../src/views/language/languages.ts';

/** What is said of the parts of a machine in one language; null where nothing is. */
export interface Sayings {
  readonly name: string;
  readonly meaning: string | null;
  readonly state: (id: string) => string | null;
  readonly event: (type: string) => string | null;
  readonly guard: (name: string) => string | null;
  readonly delay: (name: string) => string | null;
  readonly port: (name: string) => string | null;
  /** A port answered. */
  readonly answered: (port: string) => string | null;
  readonly failed: (port: string) => string | null;
}

const textsOf = (language: Language): Readonly<Record<string, string>> =>
  JSON.parse(
    readFileSync(path.join(import.meta.dirname, '..', '..', '..', 'locales', language, 'machines.json'), 'utf8'),
  );

const known = new Map<Language, Readonly<Record<string, string>>>();

/** The words of a machine from the locales. */
export const sayingsOf = (machine: string, language: Language): Sayings => {
  const texts = known.get(language) ?? textsOf(language);
  known.set(language, texts);
  const of = (kind: string) => (name: string) => texts[`${kind}.${machine}.${name}`] ?? null;
  return {
    name: texts[`machine.${machine}`] ?? machine,
    meaning: texts[`machine.${machine}.about`] ?? null,
    state: (id) => texts[`state.${id}`] ?? null,
    ...{ event: of('event'), guard: of('guard'), delay: of('delay'), port: of('port') },
    ...{ answered: of('done'), failed: of('failed') },
  };
};
