import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Route } from '../../contract/route.ts';
import { routes } from '../../contract/routes.ts';
import { codeAlphabet, sharedLinkCreate, sharedLinkList, sharedOpen } from '../../contract/shared-links.ts';
import { readRendition } from '../../dicom/rendition/read-rendition.ts';
import { purgeEndedLinks } from '../../server/db/stores/shared-links.ts';
import { presentationStateClasses } from '../../server/domain/image-classes.ts';
import { downloadUnderTest } from './download-under-test.ts';
import { addImage } from './gallery-clinic.ts';
import { smallObject } from './small-object.ts';
import { unzipped } from './unzipped.ts';

const bench = downloadUnderTest();
const db = () => bench.archive.db;
const setSharing = (shares_links: boolean) =>
  db().updateTable('customer').set({ shares_links }).where('id', '=', bench.archive.clinics.customerId).execute();
beforeAll(() => setSharing(true));

let seeds = 0;
const newPatient = () => bench.patientWithImages(`shared ${seeds++}`);

const toOther = { recipient: 'Käkkirurgen', purpose: 'Remiss', days: '7', showsPatient: true } as const;
const make = async (body: object, as?: string) => {
  const reply = await bench.archive.post(sharedLinkCreate.path, { ...toOther, ...body }, as);
  return { status: reply.status, body: await reply.json() };
};
type Made = z.infer<typeof sharedLinkCreate.reply>;
const made = async (body: object, as?: string): Promise<Made> => {
  const reply = await make(body, as);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return sharedLinkCreate.reply.parse(reply.body);
};

/** A call without an account, with the bearer of an opened link or none. */
const callOpen = (path: string, bearer: string | null, init: RequestInit = {}) =>
  fetch(`${bench.archive.url}${path}`, {
    ...init,
    headers: {
      ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
      ...(init.body !== undefined && { 'content-type': 'application/json' }),
    },
  });
const open = async ({ id, secret, code }: Pick<Made, 'id' | 'secret' | 'code'>) => {
  const reply = await callOpen(sharedOpen.path, null, { method: 'POST', body: JSON.stringify({ id, secret, code }) });
  return { status: reply.status, text: await reply.text(), headers: reply.headers };
};
const opened = async (link: Made) => {
  const { status, text } = await open(link);
  expect(status, text).toBe(200);
  return sharedOpen.reply.parse(JSON.parse(text));
};
const codeOf = (text: string) => z.object({ code: z.string() }).parse(JSON.parse(text)).code;
const rendition = (bearer: string | null, imageUID: string) =>
  callOpen(`/resource/shared/rendition?${new URLSearchParams({ imageUID })}`, bearer);
const thumb = (bearer: string | null, imageUID: string) =>
  callOpen(`/resource/shared/thumbnail?${new URLSearchParams({ imageUID })}`, bearer);
const download = (bearer: string | null) =>
  callOpen('/resource/shared/download', bearer, { method: 'POST', body: '{}' });
const reads = async (bearer: string | null, imageUID: string): Promise<number[]> => {
  const replies = [await rendition(bearer, imageUID), await thumb(bearer, imageUID), await download(bearer)];
  for (const reply of replies) await reply.arrayBuffer();
  return replies.map(({ status }) => status);
};
const list = async (patientId: string, as?: string) => {
  const reply = await bench.archive.call(`/resource/shared-link/patient/${patientId}`, as === undefined ? {} : { as });
  return sharedLinkList.reply.parse(await reply.json());
};
const end = (id: string, as?: string) =>
  bench.archive.call(`/resource/shared-link/end/${id}`, { method: 'PUT', ...(as !== undefined && { as }) });
const entries = async (patientId: string) =>
  (
    await db()
      .selectFrom('access_log')
      .select(['action', 'account_id', 'object_id', 'detail'])
      .where('patient_id', '=', patientId)
      .orderBy('id')
      .execute()
  ).filter(({ action }) => action.startsWith('share.') && action !== 'share.listed');

/** Counted wrong codes of other tests must not block the address of all of them. */
const forgetAttempts = () => db().deleteFrom('sign_in_attempt').execute();

describe('making a link', () => {
  it('is off by default, and a link is then neither made nor opened', async () => {
    const { images } = await newPatient();
    const link = await made({ imageUIDs: images });
    await setSharing(false);
    try {
      expect(await make({ imageUIDs: images })).toMatchObject({ status: 409, body: { code: 'sharing-off' } });
      expect(codeOf((await open(link)).text)).toBe('shared-link-invalid');
    } finally {
      await setSharing(true);
    }
    const { otherCustomerId } = bench.archive.clinics;
    const other = await db().selectFrom('customer').select('shares_links').where('id', '=', otherCustomerId).execute();
    expect(other).toEqual([{ shares_links: false }]);
    expect((await open(link)).status).toBe(200);
  });

  it('returns a secret of 256 bits and a code once, and stores neither', async () => {
    const { images } = await newPatient();
    const link = await made({ imageUIDs: images, days: '30' });
    expect(Buffer.from(link.secret, 'base64url')).toHaveLength(32);
    expect(link.code).toMatch(new RegExp(`^[${codeAlphabet}]{8}$`));
    const days = (Date.parse(link.expiresAt) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(29.9);
    expect(days).toBeLessThanOrEqual(30);
    const row = await db().selectFrom('shared_link').selectAll().where('id', '=', link.id).executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain(link.secret);
    expect(JSON.stringify(row)).not.toContain(link.code);
    expect(row.code_hash).toMatch(/^\$argon2id\$/);
    const other = await made({ imageUIDs: images });
    expect([other.secret, other.code, other.id]).not.toEqual([link.secret, link.code, link.id]);
  });

  it.each([
    ['a longer term', { days: '31' }],
    ['no recipient', { recipient: ' ' }],
    ['no images', { imageUIDs: undefined }],
    ['an unknown field', { extra: true }],
  ])('is rejected with %s', async (_, wrong) => {
    const { images } = await newPatient();
    expect((await make({ imageUIDs: images, ...wrong })).status).toBe(400);
  });

  it('is rejected for images of another clinic, of two patients, and without the right to download', async () => {
    const [one, two] = [await newPatient(), await newPatient()];
    const { clinics, principals } = bench.archive;
    expect(await make({ imageUIDs: one.images }, clinics.otherDoctorId)).toMatchObject({ status: 404 });
    expect(await make({ patientId: one.patient.id }, clinics.otherDoctorId)).toMatchObject({ status: 404 });
    expect(await make({ imageUIDs: [...one.images, ...two.images] })).toMatchObject({
      status: 409,
      body: { code: 'image-of-another-patient' },
    });
    const doctor = principals.get(clinics.doctorId);
    if (!doctor) throw new Error('no doctor');
    principals.set(clinics.doctorId, { ...doctor, permissions: [...doctor.permissions, 'disable.open'] });
    try {
      const link = await made({ imageUIDs: one.images }, clinics.adminId);
      expect((await make({ imageUIDs: one.images })).status).toBe(403);
      expect((await end(link.id)).status).toBe(403);
      expect((await bench.archive.call(`/resource/shared-link/patient/${one.patient.id}`)).status).toBe(403);
    } finally {
      principals.set(clinics.doctorId, doctor);
    }
  });

  it('is offered by the preview of a download of one patient at a clinic that shares', async () => {
    const [one, two] = [await newPatient(), await newPatient()];
    const canShare = async (body: object, as?: string) =>
      (await (await bench.archive.post('/resource/image/download/preview', body, as)).json()).canShare;
    expect(await canShare({ patientId: one.patient.id })).toBe(true);
    expect(await canShare({ imageUIDs: [...one.images, ...two.images] })).toBe(false);
    await setSharing(false);
    expect(await canShare({ patientId: one.patient.id })).toBe(false);
    await setSharing(true);
  });

  it('without the name of the patient needs the images that may have text in them to be confirmed', async () => {
    const { images } = await newPatient();
    expect(await make({ imageUIDs: images, showsPatient: false })).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    });
    await made({ imageUIDs: images, showsPatient: false, confirmedBurnedIn: images.length });
  });
});

describe('opening a link', () => {
  it('needs id, secret and code, in any way of writing the code, and shows what was stated', async () => {
    const { patient, images } = await newPatient();
    const link = await made({ imageUIDs: [...images].reverse(), question: 'Periapikal 36?' });
    const written = { ...link, code: ` ${link.code.slice(0, 4).toLowerCase()}-${link.code.slice(4)}` };
    const content = await opened(written);
    expect(content).toMatchObject({
      clinic: 'Provkliniken',
      recipient: 'Käkkirurgen',
      purpose: 'Remiss',
      question: 'Periapikal 36?',
      expiresAt: link.expiresAt,
      patient: { name: 'Åsa Hemlig', personalNumber: patient.personalNumber },
    });
    expect(content.images.map(({ uid }) => uid)).toEqual([...images].reverse());
    expect(await reads(content.bearer, images[0] ?? '')).toEqual([200, 200, 200]);
  });

  it('fails alike for a wrong id, secret or code and after the end', async () => {
    const { patient, images } = await newPatient();
    const [link, expired, ended] = [
      await made({ imageUIDs: images }),
      await made({ imageUIDs: images }),
      await made({ imageUIDs: images }),
    ];
    await db()
      .updateTable('shared_link')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('id', '=', expired.id)
      .execute();
    expect((await end(ended.id)).status).toBe(200);
    const wrong = [
      { ...link, id: randomUUID() },
      { ...link, id: expired.id },
      { ...link, secret: expired.secret },
      { ...link, secret: 'x' },
      { ...link, code: '22222222' },
      expired,
      ended,
    ];
    const replies = [];
    for (const one of wrong) replies.push(await open(one));
    const facts = replies.map(({ status, text, headers }) => {
      const { requestId, ...body } = JSON.parse(text);
      return JSON.stringify({ status, body, cache: headers.get('cache-control') });
    });
    expect([...new Set(facts)]).toHaveLength(1);
    expect(replies[0]?.status).toBe(404);
    expect(codeOf(replies[0]?.text ?? '')).toBe('shared-link-invalid');
    expect((await entries(patient.id)).map(({ action }) => action)).toEqual([
      'share.created',
      'share.created',
      'share.created',
      'share.ended',
    ]);
    await forgetAttempts();
  });

  it('is closed by five wrong codes, also at once, and the sender sees it', async () => {
    const { patient, images } = await newPatient();
    const link = await made({ imageUIDs: images });
    const content = await opened(link);
    const guess = () => open({ ...link, code: '22222222' });
    for (let count = 0; count < 4; count += 1) expect((await guess()).status).toBe(404);
    // A right code starts the count again.
    expect((await open(link)).status).toBe(200);
    await Promise.all(Array.from({ length: 8 }, guess));
    expect((await open(link)).status).toBe(404);
    expect(await reads(content.bearer, images[0] ?? '')).toEqual([404, 404, 404]);
    expect((await list(patient.id)).data).toMatchObject([{ state: 'wrong-codes', opened: 2 }]);
    const noted = await entries(patient.id);
    expect(noted.filter(({ action }) => action === 'share.closed')).toEqual([
      {
        action: 'share.closed',
        account_id: bench.archive.clinics.doctorId,
        object_id: link.id,
        detail: 'Käkkirurgen: Remiss',
      },
    ]);
    await forgetAttempts();
  });

  it('is closed by the next attempt when the server stopped after the last wrong code', async () => {
    const { patient, images } = await newPatient();
    const link = await made({ imageUIDs: images });
    await db().updateTable('shared_link').set({ wrong_codes: 5 }).where('id', '=', link.id).execute();
    expect((await open(link)).status).toBe(404);
    expect((await list(patient.id)).data).toMatchObject([{ state: 'wrong-codes' }]);
    expect((await entries(patient.id)).map(({ action }) => action)).toEqual(['share.created', 'share.closed']);
  });

  it('cannot be closed by someone who does not know the secret', async () => {
    const { images } = await newPatient();
    const link = await made({ imageUIDs: images });
    for (let count = 0; count < 6; count += 1) expect((await open({ ...link, secret: 'x' })).status).toBe(404);
    expect((await open(link)).status).toBe(200);
    await forgetAttempts();
  });

  it('is limited by address', async () => {
    await forgetAttempts();
    const { images } = await newPatient();
    const link = await made({ imageUIDs: images });
    const statuses = new Set<number>();
    for (let count = 0; count < 35; count += 1) statuses.add((await open({ ...link, id: randomUUID() })).status);
    expect(statuses).toEqual(new Set([404, 429]));
    expect((await open(link)).status).toBe(429);
    await forgetAttempts();
    expect((await open(link)).status).toBe(200);
  });

  it('is logged with the recipient, once for each opening and download', async () => {
    const { patient, images } = await newPatient();
    const link = await made({ imageUIDs: images });
    const { bearer } = await opened(link);
    for (const uid of images) expect((await rendition(bearer, uid)).status).toBe(200);
    expect((await download(bearer)).status).toBe(200);
    await opened(link);
    expect((await end(link.id, bench.archive.clinics.adminId)).status).toBe(200);
    expect((await end(link.id)).status).toBe(200);
    const { doctorId, adminId } = bench.archive.clinics;
    const entry = { object_id: link.id, detail: 'Käkkirurgen: Remiss' };
    expect(await entries(patient.id)).toEqual([
      { action: 'share.created', account_id: doctorId, ...entry },
      { action: 'share.opened', account_id: doctorId, ...entry },
      { action: 'share.downloaded', account_id: doctorId, ...entry },
      { action: 'share.opened', account_id: doctorId, ...entry },
      { action: 'share.ended', account_id: adminId, ...entry },
    ]);
    const extract = await bench.archive.call(`/api/AccessLog/patient/${patient.id}?format=csv`, { as: adminId });
    const lines = (await extract.text()).split('\r\n').filter((line) => line.includes('med en länk'));
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(line).toContain(';Käkkirurgen: Remiss (via länk från Anna Prov);;');
    const log = await bench.archive.call(`/api/AccessLog?action=share.opened&patientId=${patient.id}`, { as: adminId });
    expect((await log.json()).data).toMatchObject([{ role: null, detail: entry.detail }, { role: null }]);
  });

  it('replies with nothing when its entry cannot be written', async () => {
    const { images } = await newPatient();
    const link = await made({ imageUIDs: images });
    await sql`create function no_entries() returns trigger language plpgsql as $$ begin raise 'disk full'; end $$`.execute(
      db(),
    );
    await sql`create trigger no_entries before insert on access_log execute function no_entries()`.execute(db());
    try {
      const { status, text } = await open(link);
      expect(status).toBe(500);
      expect(text).not.toMatch(/bearer|Hemlig/);
    } finally {
      await sql`drop function no_entries cascade`.execute(db());
    }
  });
});

describe('the bearer of an opened link', () => {
  it('is accepted by no other route, and no account by its routes', async () => {
    const { patient, studies, images } = await newPatient();
    const { bearer } = await opened(await made({ imageUIDs: images }));
    const [uid = ''] = images;
    const target: Record<string, string> = { id: patient.id, customerId: bench.archive.clinics.customerId, uid };
    const statusOf = async (route: Route, token: string | null) => {
      const path = route.path.replace(/:(\w+)/g, (_, key: string) => target[key] ?? studies.later);
      const body = route.method === 'GET' ? {} : { body: '{}' };
      return (await callOpen(`${path}?imageUID=${uid}`, token, { method: route.method, ...body })).status;
    };
    let rejected = 0;
    for (const [name, route] of Object.entries(routes)) {
      if (route.access === 'anyone') continue;
      const status = await statusOf(route, bearer);
      expect(status, name).toBe(await statusOf(route, null));
      // Routes that this bench does not serve are not found; they authenticate in the same way.
      expect([401, 404], name).toContain(status);
      if (status === 401) rejected += 1;
    }
    expect(rejected).toBeGreaterThan(60);
    for (const id of [bench.archive.clinics.doctorId, bench.archive.clinics.superId, 'x'.repeat(43)])
      expect(await reads(id, uid)).toEqual([404, 404, 404]);
    expect(await reads(null, uid)).toEqual([404, 404, 404]);
  });

  it('opens exactly the images of its link', async () => {
    const { images } = await newPatient();
    const [first = '', second = ''] = images;
    const { bearer } = await opened(await made({ imageUIDs: [first] }));
    const stranger = await newPatient();
    expect((await rendition(bearer, first)).status).toBe(200);
    for (const uid of [second, stranger.images[0] ?? '', randomUUID()]) {
      expect((await rendition(bearer, uid)).status).toBe(404);
      expect((await thumb(bearer, uid)).status).toBe(404);
    }
    expect(await unzipped(Buffer.from(await (await download(bearer)).arrayBuffer()))).toHaveLength(1);
  });

  it('ends after 30 minutes', async () => {
    const { images } = await newPatient();
    const link = await made({ imageUIDs: images });
    const { bearer } = await opened(link);
    const ofLink = db().selectFrom('shared_link_opening').select('expires_at').where('link_id', '=', link.id);
    const minutes = ((await ofLink.executeTakeFirstOrThrow()).expires_at.getTime() - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(29);
    expect(minutes).toBeLessThanOrEqual(30);
    await db()
      .updateTable('shared_link_opening')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('link_id', '=', link.id)
      .execute();
    expect(await reads(bearer, images[0] ?? '')).toEqual([404, 404, 404]);
    await purgeEndedLinks(db());
    expect(await ofLink.execute()).toEqual([]);
    expect((await open(link)).status).toBe(200);
  });
});

describe('each read', () => {
  const scene = async () => {
    const one = await newPatient();
    const link = await made({ imageUIDs: one.images });
    return { ...one, link, bearer: (await opened(link)).bearer, uid: one.images[0] ?? '' };
  };

  it('checks that the link has neither ended nor expired', async () => {
    const [ended, expired] = [await scene(), await scene()];
    expect((await end(ended.link.id)).status).toBe(200);
    expect(await reads(ended.bearer, ended.uid)).toEqual([404, 404, 404]);
    await db()
      .updateTable('shared_link')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('id', '=', expired.link.id)
      .execute();
    expect(await reads(expired.bearer, expired.uid)).toEqual([404, 404, 404]);
  });

  it('checks that the clinic shares and exists, and the patient exists', async () => {
    const { bearer, uid, patient } = await scene();
    await setSharing(false);
    expect(await reads(bearer, uid)).toEqual([404, 404, 404]);
    await setSharing(true);
    for (const [table, id] of [
      ['customer', bench.archive.clinics.customerId],
      ['patient', patient.id],
    ] as const) {
      await db().updateTable(table).set({ deleted_at: new Date() }).where('id', '=', id).execute();
      expect(await reads(bearer, uid), table).toEqual([404, 404, 404]);
      await db().updateTable(table).set({ deleted_at: null }).where('id', '=', id).execute();
    }
    expect(await reads(bearer, uid)).toEqual([200, 200, 200]);
  });

  it('leaves out a deleted image and one that belongs to another patient now', async () => {
    const { bearer, uid, link, images } = await scene();
    const { clinics } = bench.archive;
    const files = async () => (await unzipped(Buffer.from(await (await download(bearer)).arrayBuffer()))).length;
    const shown = async () => (await opened(link)).images.map((image) => image.uid);
    await db().updateTable('image').set({ deleted_at: new Date() }).where('id', '=', uid).execute();
    expect((await rendition(bearer, uid)).status).toBe(404);
    expect((await thumb(bearer, uid)).status).toBe(404);
    expect([await files(), await shown()]).toEqual([2, images.slice(1)]);
    await db().updateTable('image').set({ deleted_at: null }).where('id', '=', uid).execute();
    const other = await bench.archive.addPatient({ customerId: clinics.customerId, personalNumber: '19700101-9999' });
    const study = db().selectFrom('study').innerJoin('series', 'series.study_id', 'study.id');
    const of = await study
      .innerJoin('image', 'image.series_id', 'series.id')
      .select('study.id')
      .where('image.id', '=', uid)
      .executeTakeFirstOrThrow();
    await db().updateTable('study').set({ patient_id: other }).where('id', '=', of.id).execute();
    expect((await rendition(bearer, uid)).status).toBe(404);
    expect((await thumb(bearer, uid)).status).toBe(404);
    expect([await files(), await shown()]).toEqual([1, images.slice(2)]);
  });

  it('finds nothing after the images moved to another patient by a merge, who has no link', async () => {
    const { bearer, uid, link, patient } = await scene();
    const target = await newPatient();
    const query = { patientFromId: patient.id, patientToId: target.patient.id };
    const preview = await bench.archive.call(`${routes.studyMoveAllPreview.path}?${new URLSearchParams(query)}`);
    const { seen } = await preview.json();
    const merged = await bench.archive.post(routes.studyMoveAll.path, { ...query, seen });
    expect(merged.status, await merged.clone().text()).toBe(200);
    expect(await reads(bearer, uid)).toEqual([404, 404, 404]);
    expect((await opened(link)).images).toEqual([]);
    expect((await list(target.patient.id)).data).toEqual([]);
    await forgetAttempts();
  });
});

describe('a link that does not show the patient', () => {
  it('shows images without name, number and overlays, and gives an anonymised copy', async () => {
    const { db: archive, clinics } = bench.archive;
    const { images, series, patient } = await newPatient();
    const bytes = smallObject({ PatientName: 'Hemlig^Åsa' });
    const file = await bench.archive.archive.files.put(Readable.from([bytes]));
    const named = await addImage(archive, clinics.customerId, series.earlier, {
      number: 9,
      sha256: file.sha256,
      size_bytes: file.sizeBytes,
    });
    const document = await addImage(archive, clinics.customerId, series.earlier, {
      number: 10,
      kind: 'document',
      sha256: file.sha256,
      size_bytes: file.sizeBytes,
    });
    const state = await addImage(archive, clinics.customerId, series.earlier, {
      kind: 'document',
      sop_class_uid: presentationStateClasses[0],
    });
    const all = [...images, named, document, state];
    const hidden = { imageUIDs: all, showsPatient: false, confirmedBurnedIn: 9, question: 'Sekret?' };
    const content = await opened(await made(hidden));
    expect(content.patient).toBeNull();
    expect(content.images.map(({ uid }) => uid)).toEqual([...images, named]);
    expect(JSON.stringify(content)).not.toMatch(new RegExp(`Hemlig|Åsa|${patient.personalNumber}`));
    const read = readRendition(new Uint8Array(await (await rendition(content.bearer, named)).arrayBuffer()));
    expect(read.overlayPlanes.planes).toEqual([]);
    const zip = Buffer.from(await (await download(content.bearer)).arrayBuffer());
    expect(zip.includes('Hemlig')).toBe(false);
    const names = (await unzipped(zip)).map(([name]) => name);
    expect(names).toContain('DICOMDIR');
    expect(names).not.toContain('referral.txt');
    const shown = await opened(await made({ imageUIDs: all, question: 'Sekret?' }));
    const originals = Buffer.from(await (await download(shown.bearer)).arrayBuffer());
    expect(originals.includes('Hemlig')).toBe(true);
    expect((await unzipped(originals)).map(([name]) => name)).toContain('referral.txt');
    // A presentation state is not an image that is shared.
    expect(shown.images.map(({ uid }) => uid)).toEqual([...images, named, document]);
    expect((await rendition(shown.bearer, document)).status).toBe(422);
  });
});

describe('the list of links', () => {
  it('is of the clinic, newest first, with openings and ends', async () => {
    const { patient, images } = await newPatient();
    const [first, second] = [await made({ imageUIDs: images }), await made({ imageUIDs: images.slice(1), days: '1' })];
    await opened(first);
    const { clinics } = bench.archive;
    const { isOffered, data } = await list(patient.id, clinics.adminId);
    expect(isOffered).toBe(true);
    expect(data).toMatchObject([
      { id: second.id, images: 2, opened: 0, lastOpenedAt: null, state: 'open', endedAt: null },
      { id: first.id, images: 3, opened: 1, recipient: 'Käkkirurgen', purpose: 'Remiss', madeBy: 'Anna Prov' },
    ]);
    expect(JSON.stringify(data)).not.toContain(first.secret);
    const foreign = { as: clinics.otherDoctorId };
    expect((await bench.archive.call(`/resource/shared-link/patient/${patient.id}`, foreign)).status).toBe(404);
    expect((await end(first.id, clinics.otherDoctorId)).status).toBe(404);
    expect((await open(first)).status).toBe(200);
    expect((await end(first.id, clinics.adminId)).status).toBe(200);
    expect((await list(patient.id)).data[1]).toMatchObject({ state: 'ended', endedAt: expect.any(String) });
  });

  it('keeps an ended link for 90 days, and its row for the access log', async () => {
    const { patient, images } = await newPatient();
    const link = await made({ imageUIDs: images });
    const endedBefore = (days: number) =>
      db()
        .updateTable('shared_link')
        .set({ ended_at: new Date(Date.now() - days * 86_400_000), end_reason: 'user' })
        .where('id', '=', link.id)
        .execute();
    await endedBefore(89);
    await purgeEndedLinks(db());
    expect((await list(patient.id)).data).toHaveLength(1);
    await endedBefore(91);
    expect((await list(patient.id)).data).toEqual([]);
    const row = await db().selectFrom('shared_link').selectAll().where('id', '=', link.id).executeTakeFirstOrThrow();
    expect([row.secret_hash, row.code_hash]).toEqual([null, null]);
  });
});
