import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import type { DestructionKind } from '../../contract/destruction.ts';
import { openDerivedCache } from '../../server/resource/derived-cache.ts';
import type { DestructionParts } from '../../server/resource/destruction/destruction-job.ts';
import { openPartDrafts } from '../../server/storage/part-drafts.ts';
import type { ArchiveUnderTest } from './archive-under-test.ts';
import { addRecord, type RecordIds } from './authorization/record.ts';
import { smallObject } from './small-object.ts';

const dayMs = 86_400_000;

/** What the job needs, for an archive under test; files just stored count as old. */
export const partsOf = async (
  { db, dataFolder }: Pick<ArchiveUnderTest, 'db' | 'dataFolder'>,
  more: Partial<DestructionParts> = {},
): Promise<DestructionParts> => {
  const root = path.join(dataFolder, 'files');
  const caches = ['renditions', 'thumbnails'].map((name) => openDerivedCache(path.join(dataFolder, name)));
  return {
    db,
    root,
    drafts: await openPartDrafts(root, {}),
    removeDerived: async (sha256) => {
      for (const cache of caches) await cache.remove(`${sha256}-`);
    },
    retention: { orphanMs: -1, keepMs: 7 * dayMs },
    events: { patientChanged: async () => undefined, viewsetsChanged: async () => undefined },
    ...more,
  };
};

interface NewOrder {
  readonly kind: DestructionKind;
  readonly subjectId: string;
  readonly patientId: string | null;
  readonly customerId?: string;
  readonly basis?: 'retention' | 'authority';
  /** Until an approved order can be revoked, in hours from now. */
  readonly dueInHours?: number;
}

/** Adds an approved order, by default one that is due. */
export const addApproved = async (
  { db, clinics }: Pick<ArchiveUnderTest, 'db' | 'clinics'>,
  { kind, subjectId, patientId, customerId = clinics.customerId, basis = 'authority', dueInHours = -1 }: NewOrder,
): Promise<string> => {
  const id = randomUUID();
  const given = { id, customer_id: customerId, kind, subject_id: subjectId, patient_id: patientId, basis };
  await db
    .insertInto('destruction_order')
    .values({
      ...given,
      reference: 'IVO 2026/7',
      reason: 'Prov',
      state: 'approved',
      proposed_by: clinics.adminId,
      decided_by: clinics.superId,
      decided_at: new Date(),
      due_at: new Date(Date.now() + dueInHours * 3_600_000),
      ended_by: null,
      ended_at: null,
    })
    .execute();
  return id;
};

let uids = 0;

/** Adds a patient with a study, images, a mount, imports and a shared link; the images have a file of their own, and one its original. */
export const addStoredRecord = async ({ db, clinics, archive }: ArchiveUnderTest, customerId = clinics.customerId) => {
  uids += 1;
  const store = (bytes: Uint8Array) => archive.files.put(Readable.from([Buffer.from(bytes)]));
  const stored = await store(smallObject({ SOPInstanceUID: `2.25.77${uids}` }));
  const original = await store(Buffer.from(`the original of ${uids}`));
  const ids = await addRecord(db, customerId, stored);
  await db.deleteFrom('destruction_order').where('id', '=', ids.destructionId).execute();
  await db.updateTable('image').set({ original_sha256: original.sha256 }).where('id', '=', ids.imageId).execute();
  return { ids, hashes: [stored.sha256, original.sha256] };
};

/** Writes a row into every table that hangs on an image, study or mount. */
export const addEntries = async ({ db, clinics }: ArchiveUnderTest, ids: RecordIds, text: string): Promise<void> => {
  const by = sql`${clinics.doctorId}, 'Prov'`;
  const statements = [
    sql`insert into image_note (subject_id, version, state, text, author_id, author_name) values (${ids.imageId}, 1, 'signed', ${text}, ${by})`,
    sql`insert into viewset_note (subject_id, version, state, text, author_id, author_name) values (${ids.viewsetId}, 1, 'draft', ${text}, ${by})`,
    sql`insert into image_change (subject_id, field, before, after, author_id, author_name)
      values (${ids.imageId}, 'comment', ${JSON.stringify({ value: text })}, '{}', ${by})`,
    sql`insert into study_change (subject_id, field, before, after, author_id, author_name)
      values (${ids.studyId}, 'description', ${JSON.stringify({ value: text })}, '{}', ${by})`,
    sql`insert into patient_change (subject_id, field, before, after, author_id, author_name)
      values (${ids.patientId}, 'lastName', ${JSON.stringify({ value: text })}, '{}', ${by})`,
    sql`insert into image_grade (image_id, version, grade, text, is_cephalometric, author_id, author_name)
      values (${ids.imageId}, 1, 'A', ${text}, false, ${by})`,
    sql`insert into image_display (image_id, version, account_id) values (${ids.imageId}, 1, ${clinics.doctorId})`,
    sql`insert into image_display (image_id, viewset_id, version, account_id) values (${ids.imageId}, ${ids.viewsetId}, 1, ${clinics.doctorId})`,
    sql`insert into patient_opening (account_id, patient_id, opened_at) values (${clinics.doctorId}, ${ids.patientId}, now())`,
    sql`insert into shared_link_opening (token_hash, link_id, expires_at) values (${ids.sharedLinkId}, ${ids.sharedLinkId}, now())`,
    sql`update import_task set name = ${text} where id in (${ids.newTaskId}, ${ids.foundTaskId})`,
    sql`update import_study set patient_id = ${ids.patientId}, viewset_id = ${ids.viewsetId}, description = ${text} where task_id = ${ids.foundTaskId}`,
    sql`update study set description = ${text} where id = ${ids.studyId}`,
    sql`update patient set comments = ${text} where id = ${ids.patientId}`,
    sql`update image set comments = ${text}, file_name = ${text} where id = ${ids.imageId}`,
    sql`insert into import_part (task_id, key, path, size_bytes) values (${ids.newTaskId}, ${randomUUID()}, ${text}, 1)`,
    sql`insert into import_object (task_id, key, name, path, size_bytes, part_bytes) values (${ids.newTaskId}, ${randomUUID()}, ${randomUUID()}, ${text}, 1, 1)`,
  ];
  for (const statement of statements) await statement.execute(db);
};

/** Returns where a text is in the database, ignoring case: `table: row`. */
export const tablesWith = async ({ db }: Pick<ArchiveUnderTest, 'db'>, text: string): Promise<string[]> => {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`.execute(
    db,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql`
      select from ${sql.table(name)} as line where position(lower(${text}) in lower(line::text)) > 0 limit 1`.execute(
      db,
    );
    if (rows.length > 0) found.push(name);
  }
  return found.sort();
};

/** Returns all files below a folder. */
export const filesBelow = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));

/** Returns the files whose content has one of these byte sequences, or whose name contains one of these texts. */
export const filesWith = async (
  folder: string,
  { bytes, names }: { readonly bytes: readonly Buffer[]; readonly names: readonly string[] },
): Promise<string[]> => {
  const found: string[] = [];
  for (const file of await filesBelow(folder)) {
    const content = await readFile(file);
    if (names.some((name) => path.basename(file).includes(name)) || bytes.some((part) => content.includes(part)))
      found.push(path.relative(folder, file));
  }
  return found.sort();
};
