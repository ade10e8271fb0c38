import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../server/db/schema.ts';

const list = (names: string) => `(array['${names.split(' ').join("','")}'])`;
const firstNames = list(
  'Åsa Björn Cecilia Dag Elsa Filip Göran Hanna Ingrid Jörgen Karin Lars Märta Nils Östen Pia Quirin Rut Sören Tuva',
);
const lastNames = list(
  'Andersson Björk Dahlström Ekman Fors Grönlund Hedlund Isaksson Jönsson Källström Lindqvist Månsson Nyberg Öberg Pålsson Qvist ' +
    'Rask Sjögren Törnqvist Ulvsäter Vång Wiström Ydén Zetterlund Åkerblom',
);
const descriptions = list(
  'Kontroll Helstatus Bitewing Panorama Akut Implantat Rotfyllning Uppföljning Tandreglering Remiss',
);

/** Indexes are made after the rows, which is several times as fast; unique indexes stay. */
const withoutIndexes = async (
  db: Kysely<Schema>,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> => {
  const { rows } = await sql<{ name: string; made: string }>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as made from pg_index
    where indrelid = any(${[...tables]}::regclass[]) and not indisunique`.execute(db);
  for (const { name } of rows) await sql.raw(`drop index ${name}`).execute(db);
  await work();
  for (const { made } of rows) await sql.raw(made).execute(db);
};

/** Returns SQL for one of `count`, the first far more often than the last, as in real names. */
const skewed = (count: number) => `(1 + floor(power(random(), 2) * ${count}))::int`;

/**
 * Fills a clinic with ten years of data: ten images per patient in two studies, uploaded a day after acquisition; names, modalities and
 * teeth in realistic distributions. Triggers are disabled, and the gallery is filled as by an update to this version.
 */
export const fillClinic = async (db: Kysely<Schema>, images: number): Promise<string> => {
  const customerId = randomUUID();
  const tables = ['patient', 'study', 'series', 'image'];
  const run = (text: string) => sql.raw(text).execute(db);
  await db.insertInto('customer').values({ id: customerId, name: 'Bench' }).execute();
  for (const table of tables) await run(`alter table ${table} disable trigger user`);
  await withoutIndexes(db, [...tables, 'gallery_image'], async () => {
    await run(`
    insert into patient (id, customer_id, personal_number, first_name, last_name, search_text, search_digits)
    select gen_random_uuid(), '${customerId}', digits, first, last, folded_words(first || ' ' || last), digits
    from (select ${firstNames}[${skewed(20)}] as first, ${lastNames}[${skewed(25)}] || case when n % 4 = 0 then '-' || ${lastNames}[1 + n % 25] else '' end as last,
      to_char(date '1930-01-01' + n % 30000, 'YYYYMMDD') || lpad(((n + n / 30000 * 13) % 10000)::text, 4, '0') as digits
      from generate_series(1, ${Math.ceil(images / 10)}) as n) as person on conflict do nothing`);
    await run(`
    insert into study (id, customer_id, patient_id, uid, description, study_date)
    select gen_random_uuid(), '${customerId}', id, '2.25.' || row_number() over (), ${descriptions}[${skewed(10)}],
      current_date - (random() * 3650)::int
    from patient, generate_series(1, 2) where customer_id = '${customerId}'`);
    await run(`
    insert into series (id, study_id, uid, modality, number)
    select gen_random_uuid(), id, uid || '.1', case when random() < 0.0005 then 'CT' when random() < 0.05 then 'DX' when random() < 0.1 then 'PX'
      when random() < 0.02 then 'CR' else 'IO' end, 1 from study where customer_id = '${customerId}'`);
    await run(`
    insert into image (id, customer_id, series_id, sop_instance_uid, kind, source, sha256, size_bytes, file_name, number, rows, columns, frames,
      transfer_syntax, compression, teeth, acquired_at, comments, thumb_status, rendition_status, created_at)
    select gen_random_uuid(), '${customerId}', series.id, series.uid || '.' || n, 'image', case when random() < 0.02 then 'picture' else 'dicom' end,
      repeat('0', 64), (400000 + random() * 5000000)::bigint, 'IMG_' || (random() * 1000000)::int || '.dcm', n, 1200, 800, 1,
      '1.2.840.10008.1.2.4.70', 'lossless', case when random() < 0.0002 then array[55] else array[10 * (1 + n % 4) + ${skewed(8)}] end,
      to_char(study_date + time '08:00' + random() * interval '9 hours', 'YYYY-MM-DD"T"HH24:MI:SS'),
      case when random() < 0.05 then 'karies distalt' end, 'error', 'error', study_date + interval '1 day' + random() * interval '1 hour'
    from study join series on series.study_id = study.id, generate_series(1, 5) as n where study.customer_id = '${customerId}'`);
    await run('insert into gallery_image select * from gallery_source on conflict do nothing');
  });
  for (const table of tables) await run(`alter table ${table} enable trigger user`);
  await run('vacuum analyze');
  return customerId;
};
