import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileProblem } from '../../contract/imports.ts';
import { problemCodes } from '../../contract/problem.ts';
import { languageOf, languages } from '../../src/views/language/languages.ts';

const root = path.join(import.meta.dirname, '../../locales');
const namespaces = readdirSync(path.join(root, 'en')).sort();
const textsOf = (language: string, file: string): Record<string, string> =>
  JSON.parse(readFileSync(path.join(root, language, file), 'utf8'));
const placeholders = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]).sort();

describe.each(languages)('the texts in %s', (language) => {
  it('have the namespaces of English', () => {
    expect(readdirSync(path.join(root, language)).sort()).toEqual(namespaces);
  });

  it.each(namespaces)('have equal keys and placeholders in %s', (file) => {
    const [english, texts] = [textsOf('en', file), textsOf(language, file)];
    expect(Object.keys(texts).sort()).toEqual(Object.keys(english).sort());
    for (const [key, text] of Object.entries(texts)) {
      expect(text.trim(), `${file} ${key}`).not.toBe('');
      expect({ [key]: placeholders(text) }).toEqual({ [key]: placeholders(english[key] ?? '') });
    }
  });

  it('have a text for every problem code and file problem', () => {
    expect(Object.keys(textsOf(language, 'failure.json'))).toEqual(expect.arrayContaining([...problemCodes]));
    const imports = Object.keys(textsOf(language, 'import.json'));
    expect(imports).toEqual(expect.arrayContaining(fileProblem.options.map((problem) => `problem-${problem}`)));
  });
});

describe('a language tag', () => {
  it('maps to its language; Bokmål and Nynorsk to Norwegian', () => {
    expect(['nb', 'nn-NO', 'no', 'en-GB', 'sv-SE', 'da', 'fi'].map(languageOf)).toEqual([
      'no',
      'no',
      'no',
      'en',
      'sv',
      'da',
      null,
    ]);
  });
});
