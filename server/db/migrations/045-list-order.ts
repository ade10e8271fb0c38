import { type Kysely, sql } from 'kysely';

/** Normalized text of list_key, in which å, ä and ö are {, | and }; æ, ø and ü are letters that nothing else becomes. */
const kept = ['ÅåÄäÖöÆæØøÜü', '{{||}}ǀǀǁǁǂǂ'];

const functions = [
  // As before for Swedish letters; letters of all alphabets are folded as search folds them.
  `create or replace function list_key(text) returns text language sql immutable strict parallel safe begin atomic
    select case when $1 ~ '[^\\u0001-\\u007f]'
      then folded_beyond_ascii(lower(regexp_replace(normalize(translate(normalize($1, NFC), '${kept[0]}', '${kept[1]}'), NFKD),
        '[\\u0300-\\u036f]', '', 'g') collate "C"))
      else lower($1 collate "C") end; end`,
  // Danish and Norwegian: æ, ø, å with aa. English: no letter of its own. All others: å, ä, ö.
  `create function list_order(key text, language text) returns text language sql immutable strict parallel safe begin atomic
    select case language
      when 'da' then replace(translate(key, '{|}ǀǁǂ', '}{|{|y'), 'aa', '}')
      when 'en' then replace(translate(key, '{|}ǁǂ', 'aaoou'), 'ǀ', 'ae')
      else translate(key, 'ǀǁǂ', '|}y') end collate "C"; end`,
];

/** Stored keys that the new function writes otherwise. Generated columns follow an update of what they are made from. */
const newKeys = [
  `update patient set last_name = last_name where name_key <> list_key(last_name || ' ' || first_name)`,
  `update account set last_name = last_name where name_key <> list_key(last_name || ' ' || first_name)`,
  'update customer set name = name where name_key <> list_key(name)',
  `update account set role_key = role_key(role.rank, role.name, role.id) from role
    where role.id = account.role_id and account.role_key <> role_key(role.rank, role.name, role.id)`,
  `update gallery_image set patient_key = patient.name_key from patient
    where patient.id = gallery_image.patient_id and gallery_image.patient_key <> patient.name_key`,
  'reindex index customer_by_organisation_number',
  'reindex index customer_by_customer_number',
];

const inOrder = (key: string, language: string) => `list_order(${key}, '${language}')`;

/** Indexes of lists by name in the order of one language, in place of those by the key itself. */
const indexesOf = (language: string) => {
  const name = inOrder('name_key', language);
  return [
    `create index patient_list_${language} on patient (customer_id, ${name}, id) where deleted_at is null`,
    `create index gallery_patient_${language} on gallery_image
      (customer_id, ${inOrder('patient_key', language)}, patient_id, shown_at, image_id)`,
    `create index account_list_name_${language} on account (${name}, id) include (customer_id) where deleted_at is null`,
    `create index account_list_clinic_${language} on account (customer_id, ${name}, id) where deleted_at is null`,
    `create index account_list_role_${language} on account (${inOrder('role_key', language)}, ${name}, id)
      include (customer_id) where deleted_at is null`,
    `create index account_list_status_${language} on account ((not is_active), ${name}, id)
      include (customer_id) where deleted_at is null`,
    `create index account_list_hired_${language} on account ((coalesce(hired_since, 'infinity'::date)), ${name}, id)
      include (customer_id) where deleted_at is null`,
    `create index customer_by_name_${language} on customer (${name}, id) where deleted_at is null`,
    `create index customer_by_city_${language} on customer
      (${inOrder("coalesce(list_key(city), '')", language)}, ${name}, id) where deleted_at is null`,
  ];
};

const statements = [
  ...functions,
  ...newKeys,
  `drop index patient_list, patient_deleted_name, gallery_patient, account_list_name, account_list_clinic, account_list_role,
    account_list_status, account_list_hired, customer_by_name, customer_by_city`,
  ...['sv', 'da', 'en'].flatMap(indexesOf),
  ...['patient', 'gallery_image', 'account', 'customer'].map((table) => `analyze ${table}`),
];

/** Lists by name are ordered as the reader's language orders them. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
