import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { problemCodes } from '../contract/problem.ts';
import { catalogue } from './errors.ts';
import { failureKinds, problemProofs } from './problem-proofs.ts';
import type { Proof } from './proofs.ts';

const root = path.dirname(import.meta.dirname);
const languages = ['sv', 'en', 'da', 'no'] as const;

interface WrittenTest {
  readonly name: string;
  /** From its name to the next test's. */
  readonly text: string;
}

/** The tests of a file by the order in which they stand. What is left out by `skip`, `todo` and the like is none. */
const testsOf = (file: string): readonly WrittenTest[] => {
  const place = path.join(root, file);
  if (!existsSync(place)) return [];
  const text = readFileSync(place, 'utf8');
  const begins = [
    ...text.matchAll(
      /^ *(?:it|test)(?:\.each(?:<[^>]*>)?\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?\(\s*(['"`])(.+?)\1,/gm,
    ),
  ];
  return begins.map((begin, at) => ({
    name: (begin[2] ?? '').replaceAll("\\'", "'"),
    text: text.slice(begin.index, begins[at + 1]?.index),
  }));
};

const provenBy = (proof: Proof): WrittenTest | null => {
  const [file = '', name = ''] = proof.split(' > ');
  return testsOf(file).find((one) => one.name.startsWith(name)) ?? null;
};

const textOf = (language: string, key: string): string | undefined => {
  const [namespace, name = ''] = key.split(':');
  return JSON.parse(readFileSync(path.join(root, 'locales', language, `${namespace}.json`), 'utf8'))[name];
};

describe('the error catalogue', () => {
  it.each(catalogue)('holds a test that makes it happen: $situation', ({ proofs }) => {
    expect(proofs.filter((proof) => provenBy(proof) === null)).toEqual([]);
  });

  it.each(
    catalogue.flatMap(({ situation, texts: says }) =>
      Object.entries(says ?? {}).map(([key, words]) => ({ situation, key, words })),
    ),
  )('says $key in the words of the specification, and in every language: $situation', ({ key, words }) => {
    expect(textOf('en', key)?.slice(0, words.length)).toBe(words);
    const translations = languages.map((language) => textOf(language, key));
    expect(translations.every((text) => text !== undefined && text.trim() !== '')).toBe(true);
    // Norwegian and Danish may share their words; English shares none of its own with them.
    expect(translations.filter((text) => text === translations[1])).toHaveLength(1);
  });
});

describe('what a call can end with', () => {
  it('is known for every code of the contract and every kind of failure', () => {
    expect(Object.keys(problemProofs).sort()).toEqual([...problemCodes].sort());
    const union = readFileSync(path.join(root, 'src/services/failure.ts'), 'utf8').split('export class')[0] ?? '';
    const kinds = [...union.matchAll(/readonly kind: '(\w+)'/g)].map(([, kind]) => kind);
    expect(Object.keys(failureKinds).sort()).toEqual(kinds.sort());
  });

  it.each(Object.entries(problemProofs))('%s is what the archive answers in a test', (code, proof) => {
    expect(provenBy(proof)?.text ?? `no test ${proof}`).toMatch(new RegExp(`['"]${code}['"]`));
  });

  it.each(Object.entries(failureKinds))('%s comes about in a test', (_, proof) => {
    expect(provenBy(proof)).not.toBeNull();
  });
});

describe('the reader of tests', () => {
  it('finds none that is left out, nor one that is not there', () => {
    expect(provenBy('tests/errors.test.ts > finds none that is left out')).not.toBeNull();
    expect(provenBy('tests/errors.test.ts > nothing of this name')).toBeNull();
    expect(provenBy('tests/no-such-file.test.ts > x')).toBeNull();
  });
});
