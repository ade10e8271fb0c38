import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Language, languages } from '../../src/views/language/languages.ts';

const root = path.join(import.meta.dirname, '../../locales');
const files = readdirSync(path.join(root, 'en')).sort();

interface Sentence {
  readonly at: string;
  readonly key: string;
  readonly text: string;
}
const textsOf = (language: Language): readonly Sentence[] =>
  files.flatMap((file) => {
    const texts: Record<string, string> = JSON.parse(readFileSync(path.join(root, language, file), 'utf8'));
    return Object.entries(texts).map(([key, text]) => ({ at: `${file} ${key}`, key, text }));
  });

/** Interpolations: values and references to other keys. */
const placeholders = (text: string) => (text.match(/\{\{[^}]+\}\}|\$t\([^)]+\)/g) ?? []).sort();
/** The text without interpolations and quoted parts, which may be in another language. */
const wordsOf = (text: string) =>
  text
    .replace(/\{\{[^}]+\}\}|\$t\([^)]+\)/g, ' ')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter(Boolean);

/** Words that occur in one language only, frequent enough that most sentences contain one. */
const marks: Readonly<Record<Language, string>> = {
  sv: 'och inte är från välj spara sparat inget något någon när ännu också bilden undersökning undersökningen kliniken användare lösenord försök redan måste',
  en: 'the and not are choose save nothing image images study password which again already cannot',
  da: 'vælg gem gemt intet noget nogen nogle endnu billede billeder billedet billederne undersøgelse undersøgelser undersøgelsen af hvad uden bliver bruger brugere adgangskode adgangskoden slet ind anden andet plads filerne længere importér åbn kun mere findes gælder end tilføj ændret oplysninger derefter spørg brug søg cifre tryk næste',
  no: 'velg lagre lagret noe noen ennå bilde bildet bildene undersøkelse undersøkelser undersøkelsen hva uten etter meg deg seg ble bruker brukere passord passordet pasient pasienter pasienten slett inn igjen å annen annet klinikk plass filene endret åpne lenger finnes bare gjelder enn legg opplysninger deretter spør søk sifre trykk neste',
};
/** Words shared by Danish and Norwegian. */
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

/** Quotation marks of other languages, and straight ones. */
const quotes: Readonly<Record<Language, RegExp>> = {
  sv: /["“»«]/,
  en: /["»«]/,
  da: /["“”]/,
  no: /["“”]/,
};

/** Field terms of another language. In Norwegian `personnummer` is only the last five digits. */
const borrowed: Readonly<Record<Language, RegExp>> = {
  sv: /bildplater|CPR|fødselsnummer/i,
  en: /personnummer|CPR/i,
  da: /personnummer|fødselsnummer/i,
  no: /personnummer|CPR/i,
};

/** What only a program that assesses images may say of itself: diagnosing, detecting, following a progression, grading by stages. */
const medicalClaims: Readonly<Record<Language, RegExp>> = {
  sv: /diagnos|detekter|upptäck|påvisa|progression|sjukdomsförlopp|stadi(e|um|er|et|indel)/i,
  en: /diagnos|detect(?!or)|progression|\bstag(e|es|ed|ing)\b/i,
  da: /diagnos|detekter|opdag|påvis|progression|sygdomsforløb|stadi(e|um|er|et|in)/i,
  no: /diagnos|detekter|oppdag|påvis|progresjon|sykdomsforløp|stadi(e|um|er|et|in)/i,
};
/** The printed warning, and the tests of the program. */
const notOfImages = ['print.json copy', 'help.json test-faults-text'];

describe.each(languages)('the words in %s', (language) => {
  const texts = textsOf(language);

  it('claim no diagnosis, detection, progression or stage', () => {
    const claims = texts.filter(({ at, text }) => medicalClaims[language].test(text) && !notOfImages.includes(at));
    expect(claims.map(({ at, text }) => `${at}: ${text}`)).toEqual([]);
  });

  it('would be noticed if they claimed one', () => {
    const claimed: Readonly<Record<Language, readonly string[]>> = {
      sv: ['Ställ diagnos', 'Upptäcker karies', 'Följ progressionen', 'Stadium 2'],
      en: ['Diagnose caries', 'Detects lesions', 'Monitor progression', 'Stage 2', 'Staging'],
      da: ['Stil en diagnose', 'Opdager caries', 'Følg progressionen', 'Stadium 2'],
      no: ['Still diagnosen', 'Oppdager karies', 'Følg progresjonen', 'Stadium 2'],
    };
    expect(claimed[language].filter((text) => !medicalClaims[language].test(text))).toEqual([]);
  });

  it('are not in another language', () => {
    const found = texts.filter(({ text }) => isForeign(language, text)).map(({ at, text }) => `${at}: ${text}`);
    expect(found).toEqual([]);
  });

  it('use the field terms of their language', () => {
    expect(texts.filter(({ text }) => borrowed[language].test(text)).map(({ at, text }) => `${at}: ${text}`)).toEqual(
      [],
    );
  });

  it('can be distinguished from other languages', () => {
    for (const other of languages.filter((one) => one !== language)) {
      const sentences = textsOf(other).filter(({ text }) => wordsOf(text).length >= 6);
      const noticed = sentences.filter(({ text }) => isForeign(language, text));
      expect(noticed.length / sentences.length, `${other} among ${language}`).toBeGreaterThan(0.7);
    }
  });

  it('are translated from English', () => {
    if (language === 'en') return;
    const english = new Map(textsOf('en').map(({ at, text }) => [at, text]));
    const left = texts.filter(({ at, text }) => english.get(at) === text && wordsOf(text).length >= 4);
    expect(left.map(({ at }) => at)).toEqual([]);
  });

  it('use the quotation marks of the language, and no dashes for pauses', () => {
    expect(texts.filter(({ text }) => quotes[language].test(text)).map(({ at }) => at)).toEqual([]);
    expect(texts.filter(({ text }) => / [–—-] /.test(text.replace(/\n- /g, '\n'))).map(({ at }) => at)).toEqual([]);
  });

  it('have the interpolations of the English text', () => {
    const english = new Map(textsOf('en').map(({ at, text }) => [at, text]));
    const unlike = texts.filter(
      ({ at, text }) => placeholders(text).join() !== placeholders(english.get(at) ?? '').join(),
    );
    expect(unlike.map(({ at, text }) => `${at}: ${text}`)).toEqual([]);
  });

  it('have singular and plural', () => {
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
