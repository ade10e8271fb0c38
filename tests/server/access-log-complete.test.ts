import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { pathOf, type Route } from '../../contract/route.ts';
import { routes } from '../../contract/routes.ts';
import { entries, type LoggedRoute } from './access-log-entries.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { addRecord } from './authorization/record.ts';
import type { RequestInput } from './authorization/scene.ts';
import { sceneOf } from './authorization/scenes.ts';
import { smallObject } from './small-object.ts';

type Name = keyof typeof routes;

let archive: ArchiveUnderTest;
let stored: { sha256: string; sizeBytes: number };

beforeAll(async () => {
  archive = await archiveUnderTest();
  stored = await archive.archive.files.put(Readable.from([Buffer.from(smallObject())]));
});
afterAll(() => archive.close());

const logged = Object.entries(entries).flatMap(([name, entry]): { name: Name; entry: LoggedRoute }[] =>
  typeof entry === 'string' ? [] : [{ name: name as Name, entry }],
);

const call = async (route: Route, { params, query, body, form, dicom }: RequestInput) => {
  const reply = await archive.call(`${pathOf(route.path, params)}${query ? `?${new URLSearchParams(query)}` : ''}`, {
    method: route.method,
    as: archive.clinics.adminId,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    ...(form && { body: form }),
    ...(dicom && { body: Uint8Array.from(dicom), headers: { 'content-type': 'application/dicom' } }),
  });
  return { status: reply.status, text: await reply.text() };
};

const newestId = async () => {
  const { rows } = await sql<{ id: number }>`select coalesce(max(id), 0) as id from access_log`.execute(archive.db);
  return rows[0]?.id ?? 0;
};

describe.each(logged)('$name', ({ name, entry }) => {
  const route: Route = routes[name];
  const scene = async () => {
    const ids = await addRecord(archive.db, archive.clinics.customerId, stored);
    const store = (bytes: Uint8Array) => archive.archive.files.put(Readable.from([Buffer.from(bytes)]));
    await entry.given?.({ db: archive.db, stored, store }, ids);
    return ids;
  };

  test(`logs ${entry.action} with user, patient, clinic and time`, async () => {
    const ids = await scene();
    const [before, from] = [await newestId(), Date.now()];
    const { status, text } = await call(route, sceneOf(name).requestOf(ids));
    expect(status, text.slice(0, 300)).toBe(200);
    const rows = await archive.db.selectFrom('access_log').selectAll().where('id', '>', before).orderBy('id').execute();
    const made = () => z.object({ id: z.string() }).parse(JSON.parse(text)).id;
    const patient = entry.patient === 'made' ? made() : entry.patient && ids[entry.patient];
    const own = rows.filter((row) => row.action === entry.action && row.patient_id === patient);
    expect(own.length, JSON.stringify(rows)).toBeGreaterThan(0);
    for (const row of rows) {
      expect(row).toMatchObject({
        account_id: archive.clinics.adminId,
        customer_id: archive.clinics.customerId,
        role: 'CustomerAdmin',
      });
      expect(row.at.getTime()).toBeGreaterThanOrEqual(from);
      expect(row.at.getTime()).toBeLessThanOrEqual(Date.now());
    }
    if (entry.object) expect(own.map((row) => row.object_id)).toContain(ids[entry.object]);
  });

  test('does not reply when the entry cannot be written', async () => {
    const ids = await scene();
    await sql`create function full_disk() returns trigger language plpgsql as $$ begin raise 'disk full'; end $$`.execute(
      archive.db,
    );
    await sql`create trigger full_disk before insert on access_log execute function full_disk()`.execute(archive.db);
    try {
      const { status, text } = await call(route, sceneOf(name).requestOf(ids));
      expect(status).toBe(500);
      expect(text).not.toMatch(/Hemlig|Åsa/);
      expect(text).not.toContain(ids.patientId);
    } finally {
      await sql`drop function full_disk cascade`.execute(archive.db);
    }
  });
});

test('logs each search hit separately, for every role', async () => {
  const { customerId } = archive.clinics;
  const before = await newestId();
  const reply = await call(routes.patientSearchPrivate, { body: { customerId, q: '', page: 1, ppage: 20 } });
  const { data } = JSON.parse(reply.text);
  const newer = archive.db.selectFrom('access_log').select('patient_id').where('id', '>', before);
  const rows = await newer.orderBy('id').execute();
  expect(data.length).toBeGreaterThan(5);
  expect(rows.map((row) => row.patient_id)).toEqual(data.map(({ id }: { id: string }) => id));
});

test('logs each patient shown in the open imports of a clinic', async () => {
  const ids = await addRecord(archive.db, archive.clinics.customerId, stored);
  await archive.db
    .updateTable('import_task')
    .set({ account_id: archive.clinics.adminId })
    .where('id', '=', ids.newTaskId)
    .execute();
  const before = await newestId();
  const { status } = await call(routes.importsOpen, { query: { customerId: ids.customerId } });
  expect(status).toBe(200);
  const rows = await archive.db.selectFrom('access_log').selectAll().where('id', '>', before).execute();
  expect(rows.some((row) => row.action === 'import.opened' && row.patient_id === ids.patientId)).toBe(true);
});
