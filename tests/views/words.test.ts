import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Language, languages } from '../../src/views/language/languages.ts';

const root = path.join(import.meta.dirname, '../../locales');
const files = readdirSync(path.join(root, 'en')).sort();

interface Told {
  readonly at: string;
  readonly key: string;
  readonly text: string;
}
const textsOf = (language: Language): readonly Told[] =>
  files.flatMap((file) => {
    const texts: Record<string, string> = JSON.parse(readFileSync(path.join(root, language, file), 'utf8'));
    return Object.entries(texts).map(([key, text]) => ({ at: `${file} ${key}`, key, text }));
  });

/** What a program puts in: values, and words of another key. */
const placeholders = (text: string) => (text.match(/\{\{[^}]+\}\}|\$t\([^)]+\)/g) ?? []).sort();
/** The words themselves, with neither those nor what is between quotation marks, which may be another's. */
const wordsOf = (text: string) =>
  text
    .replace(/\{\{[^}]+\}\}|\$t\([^)]+\)/g, ' ')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter(Boolean);

/** Words that a language has and none of the others: enough of them that a sentence in the wrong place holds one. */
const marks: Readonly<Record<Language, string>> = {
  sv: 'och inte är från välj spara sparat inget något någon när ännu också bilden undersökning undersökningen kliniken användare lösenord försök redan måste',
  en: 'the and not are choose save nothing image images study password which again already cannot',
  da: 'vælg gem gemt intet noget nogen nogle endnu billede billeder billedet billederne undersøgelse undersøgelser undersøgelsen af hvad uden bliver bruger brugere adgangskode adgangskoden slet ind anden andet plads filerne længere importér åbn kun mere findes gælder end tilføj ændret oplysninger derefter spørg brug søg cifre tryk næste',
  no: 'velg lagre lagret noe noen ennå bilde bildet bildene undersøkelse undersøkelser undersøkelsen hva uten etter meg deg seg ble bruker brukere passord passordet pasient pasienter pasienten slett inn igjen å annen annet klinikk plass filene endret åpne lenger finnes bare gjelder enn legg opplysninger deretter spør søk sifre trykk neste',
};
/** Words that Danish and Norwegian share. */
const western = 'ikke og fra også prøv allerede hvis hvor';

const foreignTo = (language: Language): ReadonlySet<string> =>
  new Set(
    [
      ...languages.filter((other) => other !== language).map((other) => marks[other]),
      ...(language === 'sv' || language === 'en' ? [western] : []),
    ].flatMap((words) => words.split(' ')),
  );

const letters: Readonly<Record<Language, RegExp>> = {
  sv: /[æøÆØ]/,
  en: /[æøåäöÆØÅÄÖ]/,
  da: /[äöÄÖ]/,
  no: /[äöÄÖ]/,
};

const isForeign = (language: Language, text: string): boolean => {
  const foreign = foreignTo(language);
  return letters[language].test(text) || wordsOf(text).some((word) => foreign.has(word));
};

/** Quotation marks of other languages, and those of typewriters. */
const quotes: Readonly<Record<Language, RegExp>> = {
  sv: /["“»«]/,
  en: /["»«]/,
  da: /["“”]/,
  no: /["“”]/,
};

/** Words of the field as another language has them. In Norwegian a `personnummer` is the last five digits of the number alone. */
const borrowed: Readonly<Record<Language, RegExp>> = {
  sv: /bildplater|CPR|fødselsnummer/i,
  en: /personnummer|CPR/i,
  da: /personnummer|fødselsnummer/i,
  no: /personnummer|CPR/i,
};

describe.each(languages)('the words in %s', (language) => {
  const texts = textsOf(language);

  it('are no other language’s', () => {
    const found = texts.filter(({ text }) => isForeign(language, text)).map(({ at, text }) => `${at}: ${text}`);
    expect(found).toEqual([]);
  });

  it('are those of the field in that language', () => {
    expect(texts.filter(({ text }) => borrowed[language].test(text)).map(({ at, text }) => `${at}: ${text}`)).toEqual(
      [],
    );
  });

  it('would be told from those of the others', () => {
    for (const other of languages.filter((one) => one !== language)) {
      const sentences = textsOf(other).filter(({ text }) => wordsOf(text).length >= 6);
      const noticed = sentences.filter(({ text }) => isForeign(language, text));
      expect(noticed.length / sentences.length, `${other} among ${language}`).toBeGreaterThan(0.7);
    }
  });

  it('are not left in English', () => {
    if (language === 'en') return;
    const english = new Map(textsOf('en').map(({ at, text }) => [at, text]));
    const left = texts.filter(({ at, text }) => english.get(at) === text && wordsOf(text).length >= 4);
    expect(left.map(({ at }) => at)).toEqual([]);
  });

  it('stand between the quotation marks of the language, and without dashes for pauses', () => {
    expect(texts.filter(({ text }) => quotes[language].test(text)).map(({ at }) => at)).toEqual([]);
    expect(texts.filter(({ text }) => / [–—-] /.test(text.replace(/\n- /g, '\n'))).map(({ at }) => at)).toEqual([]);
  });

  it('are put together from the same pieces as the English', () => {
    const english = new Map(textsOf('en').map(({ at, text }) => [at, text]));
    const unlike = texts.filter(
      ({ at, text }) => placeholders(text).join() !== placeholders(english.get(at) ?? '').join(),
    );
    expect(unlike.map(({ at, text }) => `${at}: ${text}`)).toEqual([]);
  });

  it('know one and many', () => {
    const keys = new Set(texts.map(({ at }) => at));
    const lonely = [...keys].filter((at) => {
      const pair = at.endsWith('_one')
        ? at.replace(/_one$/, '_other')
        : at.endsWith('_other')
          ? at.replace(/_other$/, '_one')
          : at;
      return !keys.has(pair);
    });
    expect(lonely).toEqual([]);
    expect(new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted()).toEqual(['one', 'other']);
  });
});
