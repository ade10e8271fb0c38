import { type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from '../schema.ts';
import { cancelImportsOf, type DestroyedRecords, destroyImports, lockImportsOf } from './destroy-imports.ts';
import type { DestructionOrderRow } from './destruction-orders.ts';
import { recountLastStudy } from './patients.ts';
import { incrementVersions, type ViewsetVersion } from './record-edits.ts';

/** A patient, study or image. */
export interface DestroyedSubject {
  readonly kind: 'patient' | 'study' | 'image';
  readonly id: string;
}

interface Found extends DestroyedRecords {
  readonly studies: readonly string[];
  readonly series: readonly string[];
  readonly viewsets: readonly string[];
}

type Trx = Transaction<Schema>;

const list = (ids: readonly string[]) => sql`any(${[...ids]}::uuid[])`;

const idsOf = async (db: Kysely<Schema>, query: ReturnType<typeof sql<{ id: string }>>): Promise<string[]> =>
  (await query.execute(db)).rows.map(({ id }) => id);

/** Returns what belongs to a record, deleted or not; null when it is gone. */
const recordsOf = async (db: Kysely<Schema>, { kind, id }: DestroyedSubject): Promise<Found | null> => {
  if (kind === 'image') {
    const { rows } = await sql<{ owner: string }>`
      select patient_id as owner from study join series on series.study_id = study.id join image on image.series_id = series.id
      where image.id = ${id}`.execute(db);
    const [found] = rows;
    const nothing = { patientId: null, studyUids: [], studies: [], series: [], viewsets: [] };
    return found ? { ...nothing, ownerId: found.owner, images: [id] } : null;
  }
  const { rows } = await sql<{ id: string; uid: string; owner: string }>`
    select id, uid, patient_id as owner from study
    where ${kind === 'patient' ? sql`patient_id` : sql`id`} = ${id} order by id`.execute(db);
  const isThere = kind === 'study' || (await idsOf(db, sql`select id from patient where id = ${id}`)).length > 0;
  const ownerId = kind === 'patient' ? id : rows[0]?.owner;
  if (!isThere || ownerId === undefined) return null;
  const studies = rows.map((row) => row.id);
  const series = await idsOf(db, sql`select id from series where study_id = ${list(studies)} order by id`);
  return {
    patientId: kind === 'patient' ? id : null,
    ownerId,
    studyUids: rows.map(({ uid }) => uid),
    studies,
    series,
    images: await idsOf(db, sql`select id from image where series_id = ${list(series)} order by id`),
    viewsets: await idsOf(db, sql`select id from viewset where study_id = ${list(studies)} order by id`),
  };
};

/** Locks in the common order (`lockRecords`): imports, viewsets, studies, series and images, then the patient, to whom nothing can be added any more. */
const lock = async (transaction: Trx, { kind, id }: DestroyedSubject): Promise<void> => {
  const found = await recordsOf(transaction, { kind, id });
  if (!found) return;
  await lockImportsOf(transaction, found);
  for (const [table, ids] of [
    ['viewset', found.viewsets],
    ['study', found.studies],
    ['series', found.series],
    ['image', found.images],
  ] as const)
    await sql`select id from ${sql.table(table)} where id = ${list(ids)} order by id for update`.execute(transaction);
  await sql`select id from patient where id = ${found.ownerId} for update`.execute(transaction);
};

const destroyLinks = async (transaction: Trx, { patientId, images }: Found): Promise<void> => {
  const run = (statement: ReturnType<typeof sql>) => statement.execute(transaction);
  const links = await idsOf(
    transaction,
    sql`select distinct id from shared_link left join shared_link_image on link_id = id
      where patient_id = ${patientId} or image_id = ${list(images)}`,
  );
  await run(
    sql`delete from shared_link_image where link_id = ${list(links)} and (${patientId}::uuid is not null or image_id = ${list(images)})`,
  );
  const ended = sql`(select id from shared_link where id = ${list(links)}
    and not exists (select from shared_link_image where link_id = shared_link.id))`;
  await run(sql`delete from shared_link_opening where link_id in ${ended}`);
  await run(sql`delete from shared_link where id in ${ended}`);
};

/** Empties the slots that show a destroyed image in a viewset that stays. */
const unmount = async (transaction: Trx, { images, viewsets }: Found): Promise<ViewsetVersion[]> => {
  const { rows } = await sql<ViewsetVersion>`
    select id, version from viewset where id <> all(${[...viewsets]}::uuid[]) and id in (
      select viewset_id from viewset_item where image_id = ${list(images)}
      union select viewset_id from viewset_detached where image_id = ${list(images)}) order by id for update`.execute(
    transaction,
  );
  await sql`update viewset_item set image_id = null where image_id = ${list(images)}`.execute(transaction);
  return incrementVersions(transaction, rows);
};

const destroyRows = async (transaction: Trx, found: Found): Promise<void> => {
  const { patientId, studies, series, images, viewsets } = found;
  const run = (statement: ReturnType<typeof sql>) => statement.execute(transaction);
  await destroyLinks(transaction, found);
  await run(sql`delete from image_display where image_id = ${list(images)} or viewset_id = ${list(viewsets)}`);
  await run(sql`delete from viewset_detached where image_id = ${list(images)} or viewset_id = ${list(viewsets)}`);
  await run(sql`delete from viewset_item where viewset_id = ${list(viewsets)}`);
  await run(sql`delete from viewset_note where subject_id = ${list(viewsets)}`);
  await run(sql`delete from viewset where id = ${list(viewsets)}`);
  for (const table of ['image_note', 'image_change'])
    await run(sql`delete from ${sql.table(table)} where subject_id = ${list(images)}`);
  await run(sql`delete from image_grade where image_id = ${list(images)}`);
  await run(sql`delete from image where id = ${list(images)}`);
  await run(sql`delete from series where id = ${list(series)}`);
  await run(sql`delete from study_change where subject_id = ${list(studies)}`);
  await run(sql`delete from study where id = ${list(studies)}`);
  if (patientId === null) return;
  await run(sql`delete from imaging_order where patient_id = ${patientId}`);
  await run(sql`delete from patient_change where subject_id = ${patientId}`);
  await run(sql`delete from patient where id = ${patientId}`);
};

/** Cancels the unfinished imports of a record. Returns whether a node still works on one, so that the record must wait. */
export const cancelImportsOfRecord = async (db: Kysely<Schema>, subject: DestroyedSubject): Promise<boolean> => {
  const found = await recordsOf(db, subject);
  return found ? cancelImportsOf(db, found) : false;
};

/**
 * Deletes the rows of a record for an order in progress, and lists its files in `destruction_file` in the same transaction: at no time is a file
 * neither referenced nor listed. Does nothing when the record is gone.
 * @returns the viewsets that stay and lost an image; null when the record was gone
 */
export const destroyRecords = (
  db: Kysely<Schema>,
  { id: orderId }: Pick<DestructionOrderRow, 'id'>,
  subject: DestroyedSubject,
): Promise<ViewsetVersion[] | null> =>
  db.transaction().execute(async (transaction) => {
    await sql`select set_config('dentarium.destruction', ${orderId}, true)`.execute(transaction);
    await lock(transaction, subject);
    const found = await recordsOf(transaction, subject);
    if (!found) return null;
    const { rows } = await sql<{ sha256: string }>`
      select sha256 from image where id = ${list(found.images)}
      union select original_sha256 from image where id = ${list(found.images)} and original_sha256 is not null`.execute(
      transaction,
    );
    const ofImports = await destroyImports(transaction, found, found.viewsets);
    const hashes = [...new Set([...rows.map(({ sha256 }) => sha256), ...ofImports])];
    await sql`insert into destruction_file (order_id, sha256) select ${orderId}::uuid, unnest(${hashes}::text[])
      on conflict do nothing`.execute(transaction);
    const changed = await unmount(transaction, found);
    await destroyRows(transaction, found);
    if (subject.kind === 'study') await recountLastStudy(transaction, found.ownerId);
    await sql`update destruction_order set patients = patients + ${found.patientId === null ? 0 : 1}::int,
      studies = studies + ${found.studies.length}::int, images = images + ${found.images.length}::int
      where id = ${orderId}`.execute(transaction);
    return changed;
  });
