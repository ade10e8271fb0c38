import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { insertPatient } from '../../server/db/stores/patients.ts';
import { signIn } from './running-server.ts';
import { smallObject } from './small-object.ts';
import { unavailableDatabase } from './unavailable-database.ts';

const under = unavailableDatabase();
const { isReady } = under;
const email = 'doctor@prov.example';

const restart = async (signal: 'SIGINT' | 'SIGKILL') => {
  await under.postgres().stop(signal);
  await under.postgres().start();
};

/** Sends like a browser: repeats until the archive has accepted the file. */
const call = async (token: string, path: string, init: () => RequestInit = () => ({})) => {
  for (;;) {
    const { headers, ...rest } = init();
    const reply = await fetch(`${under.server().url}${path}`, {
      ...rest,
      headers: { ...headers, authorization: `Bearer ${token}` },
    });
    if (reply.status !== 503) return { status: reply.status, body: await reply.json() };
    expect([(await reply.json()).code, reply.headers.get('retry-after')]).toEqual(['database-unavailable', '2']);
  }
};
const post = (token: string, path: string, body: unknown) =>
  call(token, path, () => ({
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  }));

let imports = 0;
const importUnder = async (harm: () => Promise<unknown>) => {
  await isReady();
  const { access_token: token } = await signIn(under.server().url, email);
  imports += 1;
  const number = 9_000 + imports;
  const patientId = randomUUID();
  await insertPatient(under.database().db, {
    id: patientId,
    customerId: under.clinics().customerId,
    firstName: 'Åsa',
    lastName: 'Lindström',
    personalNumber: `1980010${imports}-1234`,
    birthDate: '1980-01-01',
    sex: 'F',
    comments: null,
  });
  const id = randomUUID();
  const files = Array.from({ length: 60 }, (_, index) =>
    smallObject({
      SOPInstanceUID: `2.25.${number}${index}`,
      StudyInstanceUID: `2.25.${number}9${index % 20}`,
      SeriesInstanceUID: `2.25.${number}8${index % 20}`,
    }),
  );
  await post(token, '/resource/ImageImport', { id, patientId, totalFilesCount: files.length });
  let over = false;
  const harming = (async () => {
    while (!over) await harm();
  })();
  for (let at = 0; at < files.length; at += 10) {
    const sent = await call(token, '/resource/ImageImport/batch', () => {
      const form = new FormData();
      form.append('id', id);
      for (const [index, bytes] of files.slice(at, at + 10).entries()) {
        form.append('path', `${at + index}.dcm`);
        form.append('files', new Blob([Uint8Array.from(bytes)]), `${at + index}.dcm`);
      }
      return { method: 'POST', body: form };
    });
    expect(sent.status, JSON.stringify(sent.body)).toBe(200);
  }
  const task = async () => (await call(token, `/resource/ImageImport/${id}`)).body;
  await post(token, '/resource/ImageImport/dicom/parse', { id });
  await vi.waitFor(async () => expect((await task()).step).toBe(3), { timeout: 90_000, interval: 50 });
  await post(token, '/resource/ImageImport/dicom/import', { id, mismatchConfirmed: true });
  await vi.waitFor(async () => expect((await task()).step).toBe(5), { timeout: 90_000, interval: 50 });
  over = true;
  await harming;
  await isReady();
  const end = await task();
  expect(end.error).toBe(false);
  expect(end.files.map((file: { status: string }) => file.status)).toEqual(files.map(() => 'imported'));
  const stored = await under
    .database()
    .db.selectFrom('image')
    .innerJoin('series', 'series.id', 'image.series_id')
    .innerJoin('study', 'study.id', 'series.study_id')
    .select('image.id')
    .where('study.patient_id', '=', patientId)
    .execute();
  expect(stored).toHaveLength(files.length);
};

const apart = () => new Promise((resolve) => setTimeout(resolve, 150));

test('resumes an import whose connections are terminated repeatedly', () =>
  importUnder(async () => {
    const [pid] = (await under.postgres().backends()).slice(imports % 2);
    if (pid) await under.postgres().runQuery(`select pg_terminate_backend(${pid})`);
    await apart();
  }));

test('resumes an import after a backend was killed and all connections ended', async () => {
  let kills = 0;
  await importUnder(async () => {
    if (kills < 3) {
      const [pid] = await under
        .postgres()
        .backends()
        .catch(() => []);
      if (pid) {
        under.postgres().killBackend(pid);
        kills += 1;
      }
    }
    await apart();
    await apart();
  });
  expect(kills).toBe(3);
});

test('resumes an import after PostgreSQL was restarted', async () => {
  let restarts = 0;
  await importUnder(async () => {
    if (restarts < 2) await restart(restarts === 0 ? 'SIGKILL' : 'SIGINT');
    restarts += 1;
    await apart();
  });
});
