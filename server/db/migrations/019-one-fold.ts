import { type Kysely, sql } from 'kysely';

/** The characters beyond ASCII that are left when Unicode has taken apart what it can. */
const leftWhole = (): string[] =>
  Array.from({ length: 0x10ffff - 0x7f }, (_, at) => 0x80 + at)
    .filter((point) => point < 0xd800 || point > 0xdfff)
    .map((point) => String.fromCodePoint(point))
    .filter((character) => character.normalize('NFKD') === character);

const escaped = (character: string): string => `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`;

/** Those of `characters` that are meant, as between the brackets of a regular expression: what can never come between two of them is taken in. */
const classOf = (characters: readonly string[], isMeant: RegExp): string => {
  const ranges: { readonly first: string; last: string }[] = [];
  let range: (typeof ranges)[number] | null = null;
  for (const character of characters) {
    if (!isMeant.test(character)) range = null;
    else if (range) range.last = character;
    else {
      range = { first: character, last: character };
      ranges.push(range);
    }
  }
  return ranges.map(({ first, last }) => `${escaped(first)}-${escaped(last)}`).join('');
};

const single = { ø: 'o', ł: 'l', đ: 'd', ð: 'd', ı: 'i', ς: 'σ' };
const pairs = { æ: 'ae', œ: 'oe', ß: 'ss', þ: 'th' };

const translated = (text: string, letters: Readonly<Record<string, string>>): string =>
  `translate(${text}, '${Object.keys(letters).join('')}', '${Object.values(letters).join('')}')`;
const withPairs = (text: string): string =>
  Object.entries(pairs).reduce((inner, [letter, two]) => `replace(${inner}, '${letter}', '${two}')`, text);

/**
 * Text as server/domain/search-key.ts folds it, with a space before each word: in every script, and on every PostgreSQL, whatever its locale. Needs a
 * database in UTF-8, as ours are. Few texts hold anything beyond ASCII when their diacritics are gone: the rest is left to a function of its own.
 */
const fold = (): readonly string[] => {
  const whole = leftWhole();
  const capitals = whole.filter((character) => character.toLowerCase() !== character);
  const lower = translated('$1', Object.fromEntries(capitals.map((letter) => [letter, letter.toLowerCase()])));
  const [marks, signs] = [classOf(whole, /\p{M}/u), classOf(whole, /[^\p{L}\p{N}\p{M}’]/u)];
  return [
    `create function folded_beyond_ascii(text) returns text language sql immutable strict parallel safe as $body$
      select regexp_replace(regexp_replace(${withPairs(translated(lower, single))}, '[${marks}]', '', 'g'), '[${signs}]', ' ', 'g') $body$`,
    'alter function gallery_words(text) rename to folded_words',
    `create or replace function folded_words(text) returns text language sql immutable strict parallel safe as $body$
      select ' ' || trim(regexp_replace(regexp_replace(case when plain ~ '[^\\u0001-\\u007f]' then folded_beyond_ascii(plain) else plain end,
        '[''’\`.]', '', 'g'), '[\\u0001-\\u002f\\u003a-\\u0060\\u007b-\\u007f]+', ' ', 'g'))
      from lower(regexp_replace(normalize($1, NFKD), '[\\u0300-\\u036f]', '', 'g') collate "C") as plain $body$`,
  ];
};

/** What is there. The tables that everybody needs to sign in come last: they are held until the end. */
const conversions = [
  // Whatever was folded otherwise has still something beyond ASCII in it.
  `update gallery_image set search_text = source.search_text from gallery_source as source
    where gallery_image.search_text ~ '[^\\u0001-\\u007f]' and source.image_id = gallery_image.image_id
      and source.search_text <> gallery_image.search_text`,
  `update patient set search_text = replace(search_text, 'ς', 'σ') where search_text like '%ς%'`,
  // As server/db/stores/study-search-text.ts writes them: migration 015 folded those that it found with search_key, which knew these signs and letters.
  `update study set search_text = folded.search_text
    from (select id, ' ' || concat_ws(' ', nullif(substr(folded_words(description), 2), ''), nullif(accession, ''),
        case when accession like '% %' then replace(accession, ' ', '') end) as search_text
      from study, substr(folded_words(coalesce(accession_number, '')), 2) as accession
      where accession_number is not null or description ~ '[^ 0-9A-Za-zåäöÅÄÖ,;:()/+-]') as folded
    where folded.id = study.id and folded.search_text <> study.search_text`,
  'alter table customer drop column search_text',
  // Numbers as they are written, and their digits alone.
  `alter table customer add column search_text text not null generated always as (folded_words(
    name || ' ' || coalesce(organisation_number, '') || ' ' || coalesce(regexp_replace(organisation_number, '[^0-9]', '', 'g'), '') || ' ' ||
    coalesce(customer_number, '') || ' ' || coalesce(city, ''))) stored`,
  'create index customer_search on customer using gin (search_text gin_trgm_ops) where deleted_at is null',
  'alter table account drop column search_text',
  // Words of an address as it is typed whole, and each for itself; the number behind a sign that no word holds, for not everybody may look for it.
  `alter table account add column search_text text not null generated always as (
    folded_words(first_name || ' ' || last_name || ' ' || email || ' ' || replace(email, '.', ' ')) || ' # ' ||
    coalesce(regexp_replace(personal_number, '[^0-9]', '', 'g'), '')) stored`,
  'create index account_search on account using gin (search_text gin_trgm_ops) where deleted_at is null',
  'drop function search_key(text)',
  'analyze customer, account',
];

/** Clinics, people, studies and the gallery are searched as patients are: by one fold. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of [...fold(), ...conversions]) await sql.raw(statement).execute(db);
};
