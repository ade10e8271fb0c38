import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ImageInfo } from '../../contract/images.ts';
import type { Patient } from '../../contract/patients.ts';
import type { Study } from '../../contract/studies.ts';
import { linkKey } from '../../server/db/stores/link-key.ts';
import { endGrant } from '../../server/db/stores/sessions.ts';
import { hashedToken } from '../../server/db/stores/token-hash.ts';
import { createThumbLinks } from '../../server/resource/thumb-links.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { openSession } from './open-session.ts';
import { smallObject } from './small-object.ts';
import { vaultUnderTest } from './vault-under-test.ts';

let archive: ArchiveUnderTest;
let patientId: string;
let image: ImageInfo;
const bytes = smallObject();

beforeAll(async () => {
  archive = await archiveUnderTest();
  patientId = await archive.addPatient();
  await archive.importAll(patientId, { 'a.dcm': bytes });
  await archive.archive.thumbnails.idle();
  const { data } = await (await archive.call(`/resource/study/bypatient/${patientId}`)).json();
  image = (data as Study[])[0]?.series[0]?.images[0] as ImageInfo;
});

afterAll(() => archive.close());

describe('patients', () => {
  const names = async (q: string): Promise<string[]> => {
    const reply = await archive.post('/resource/patient/search', { customerId: archive.clinics.customerId, q });
    const { data } = (await reply.json()) as { data: Patient[] };
    return data.map(({ mainInfo }) => `${mainInfo.lastName} ${mainInfo.firstName}`);
  };

  beforeAll(async () => {
    const { customerId } = archive.clinics;
    const add = (lastName: string, firstName: string, personalNumber: string) =>
      archive.addPatient({ customerId, lastName, firstName, personalNumber, birthDate: null });
    await add('Åberg', 'Östen', '19450607-2391');
    await add('Björk-Lund', 'Anna Märta', '20010203-2380');
    await add("O'Brien", 'Søren', '19770808-2397');
    await add('Asplund', 'Per', '198912319876');
  });

  test.each([
    ['asa', ['Lindström Åsa']],
    ['ÅSA', ['Lindström Åsa']],
    ['åsp', ['Asplund Per']],
    ['lind åsa', ['Lindström Åsa']],
    ['osten aberg', ['Åberg Östen']],
    ['lund marta', ['Björk-Lund Anna Märta']],
    ['björk-lund', ['Björk-Lund Anna Märta']],
    ['obrien', ["O'Brien Søren"]],
    ["o'brien soren", ["O'Brien Søren"]],
    ['plund', []],
    ['bj%rk', []],
    ['l_nd', []],
    ['19450607-2391', ['Åberg Östen']],
    ['194506072391', ['Åberg Östen']],
    ['450607-2391', ['Åberg Östen']],
    ['450607 2391', ['Åberg Östen']],
    ['9876', ['Asplund Per']],
    ['åberg 19450607', ['Åberg Östen']],
    ['åberg 1989', []],
  ])('%s finds %j', async (q, found) => {
    expect(await names(q)).toEqual(found);
  });

  test('an empty search lists all in the same order on every page, with the count', async () => {
    const all = await names('');
    expect(all).toHaveLength(5);
    const paged = await Promise.all(
      [1, 2, 3].map(async (page) => {
        const body = { customerId: archive.clinics.customerId, q: '', page, ppage: 2 };
        const reply = await archive.post('/resource/patient/search', body);
        return (await reply.json()) as { data: Patient[]; totalCount: number };
      }),
    );
    expect(
      paged.flatMap(({ data }) => data.map(({ mainInfo }) => `${mainInfo.lastName} ${mainInfo.firstName}`)),
    ).toEqual(all);
    expect(paged.map(({ totalCount }) => totalCount)).toEqual([5, 5, 5]);
  });

  test('a personal number is unique within a clinic, however it is written, but not across clinics', async () => {
    const { customerId, otherCustomerId, otherDoctorId } = archive.clinics;
    const values = {
      firstName: 'Nils',
      lastName: 'Berg',
      personalNumber: '900202-2384',
      birthDate: '1990-02-02',
      sex: 'M',
      comments: null,
    };
    const made = await archive.post('/resource/patient/create', { ...values, customerId });
    expect(made.status).toBe(200);
    const patient = (await made.json()) as Patient;
    expect(await (await archive.call(`/resource/patient/${patient.id}`)).json()).toEqual(patient);
    const again = { ...values, personalNumber: '19900202 2384', customerId };
    const rejected = await archive.post('/resource/patient/create', again);
    expect(await rejected.json()).toMatchObject({ code: 'personal-number-taken' });
    const elsewhere = { ...values, customerId: otherCustomerId };
    expect((await archive.post('/resource/patient/create', elsewhere, otherDoctorId)).status).toBe(200);
    expect((await archive.post('/resource/patient/create', elsewhere)).status).toBe(404);
    const nowhere = { ...values, customerId: randomUUID() };
    expect((await archive.post('/resource/patient/create', nowhere, archive.clinics.superId)).status).toBe(404);
    const unread = await archive.post('/resource/patient/create', {
      ...values,
      personalNumber: '----------',
      customerId,
    });
    expect(await unread.json()).toMatchObject({ code: 'invalid-request', errors: [{ fieldKey: 'personalNumber' }] });
  });

  test('a deleted patient is not shown, and their number is free', async () => {
    const id = await archive.addPatient({
      customerId: archive.clinics.customerId,
      lastName: 'Borta',
      firstName: 'Bo',
      personalNumber: '19600101-2399',
      birthDate: null,
    });
    await archive.db.updateTable('patient').set({ deleted_at: new Date() }).where('id', '=', id).execute();
    expect(await names('borta')).toEqual([]);
    expect((await archive.call(`/resource/patient/${id}`)).status).toBe(404);
    expect((await archive.call(`/resource/study/bypatient/${id}`)).status).toBe(404);
  });
});

describe('the original image file', () => {
  const get = (range?: string, headers: Record<string, string> = {}) =>
    archive.call(`/resource/viewset/get_image?imageUID=${image.uid}`, {
      headers: range ? { ...headers, range } : headers,
    });

  test.each([
    ['bytes=0-9', 206, 0, 10],
    ['bytes=128-131', 206, 128, 132],
    ['bytes=100-', 206, 100, bytes.length],
    ['bytes=-16', 206, bytes.length - 16, bytes.length],
    ['bytes=0-999999', 206, 0, bytes.length],
    ['bytes=5-2', 200, 0, bytes.length],
    ['items=0-3', 200, 0, bytes.length],
  ])('%s', async (range, status, start, end) => {
    const reply = await get(range);
    const body = Buffer.from(await reply.arrayBuffer());
    expect(reply.status).toBe(status);
    expect(body.equals(bytes.subarray(start, end))).toBe(true);
    expect(reply.headers.get('content-length')).toBe(String(end - start));
    expect(reply.headers.get('content-range')).toBe(
      status === 206 ? `bytes ${start}-${end - 1}/${bytes.length}` : null,
    );
  });

  test('returns 416 for an unsatisfiable range', async () => {
    const reply = await get(`bytes=${bytes.length}-`);
    expect([reply.status, reply.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`]);
  });

  test('is not cached on disk by the browser, and can be revalidated', async () => {
    const reply = await get();
    expect(reply.headers.get('cache-control')).toBe('private, no-store');
    const etag = reply.headers.get('etag') ?? '';
    expect((await get(undefined, { 'if-none-match': etag })).status).toBe(304);
    expect((await get('bytes=0-3', { 'if-range': '"another"' })).status).toBe(200);
    expect((await get('bytes=0-3', { 'if-range': etag })).status).toBe(206);
  });

  test('returns 404 for another clinic, and for deleted images', async () => {
    const target = `/resource/viewset/get_image?imageUID=${image.uid}`;
    expect((await archive.call(target, { as: archive.clinics.otherDoctorId })).status).toBe(404);
    expect((await archive.call(target, { as: 'nobody' })).status).toBe(401);
    await archive.db.updateTable('image').set({ deleted_at: new Date() }).where('id', '=', image.uid).execute();
    expect((await archive.call(target)).status).toBe(404);
    expect((await fetch(`${archive.url}${image.activeImageThumbLink}`)).status).toBe(404);
    await archive.db.updateTable('image').set({ deleted_at: null }).where('id', '=', image.uid).execute();
  });
});

describe('thumbnails', () => {
  test('load by a link of a session without a token, and the browser stores no copy', async () => {
    const reply = await fetch(`${archive.url}${image.activeImageThumbLink}`);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    const picture = Buffer.from(await reply.arrayBuffer());
    expect(picture.subarray(0, 3).toString('hex')).toBe('ffd8ff');
  });

  test('reject a modified or expired link', async () => {
    const link = new URL(`${archive.url}${image.activeImageThumbLink}`);
    const changed = async (name: string, value: string) => {
      const other = new URL(link);
      other.searchParams.set(name, value);
      return (await fetch(other)).json();
    };
    expect(await changed('imageUID', randomUUID())).toMatchObject({ code: 'link-expired' });
    expect(await changed('expires', String(Number(link.searchParams.get('expires')) + 3600))).toMatchObject({
      code: 'link-expired',
    });
    expect(await changed('signature', 'AAAA')).toMatchObject({ code: 'link-expired' });
    expect(await changed('session', hashedToken('another session'))).toMatchObject({ code: 'link-expired' });
  });

  test('reject a link whose session has ended', async () => {
    const grantId = await openSession(archive.db, archive.clinics.adminId);
    const link = createThumbLinks(archive.db, await linkKey(archive.db, vaultUnderTest()))
      .of({ grantId })
      .linkTo(image.uid);
    expect((await fetch(`${archive.url}${link}`)).status).toBe(200);
    await endGrant(archive.db, grantId);
    expect((await fetch(`${archive.url}${link}`)).status).toBe(410);
  });

  test('report an error for an image that cannot be rendered, and continue with the others', async () => {
    const { sha256 } = await archive.db
      .selectFrom('image')
      .select('sha256')
      .where('id', '=', image.uid)
      .executeTakeFirstOrThrow();
    const lost = (await archive.importAll(patientId, { 'b.dcm': smallObject({ SOPInstanceUID: '2.25.77' }) })).files[0];
    await archive.archive.thumbnails.idle();
    const garbage = await archive.archive.files.put(Readable.from([Buffer.from('no image')]));
    await archive.db
      .updateTable('image')
      .set({ thumb_status: 'pending', sha256: garbage.sha256 })
      .where('id', '=', lost?.imageUid ?? '')
      .execute();
    archive.archive.thumbnails.wake();
    await archive.archive.thumbnails.idle();
    const linkOf = async (imageUid: string | null | undefined) => {
      const { data } = await (await archive.call(`/resource/study/bypatient/${patientId}`)).json();
      const images = (data as Study[]).flatMap(({ series }) => series.flatMap((each) => each.images));
      return images.find(({ uid }) => uid === imageUid)?.activeImageThumbLink;
    };
    await expect.poll(() => linkOf(lost?.imageUid)).toBe('error');
    expect(await linkOf(image.uid)).toContain('signature=');
    const failed = archive.events.filter(({ event }) => event.name === 'DetachedImageProcessedFailed');
    expect(failed.at(-1)?.event.body).toMatchObject({
      item: { imageUid: lost?.imageUid, activeImageThumbLink: 'error' },
    });
    expect(sha256).not.toBe('f'.repeat(64));
  });
});

test('the number of queries does not grow with the number of studies and images', async () => {
  const many = await archive.addPatient({ customerId: archive.clinics.customerId, personalNumber: '19700101-2391' });
  /** Every query takes a pool connection once. */
  const queriesOnce = async (target: string): Promise<number> => {
    const connect = vi.spyOn(archive.database.database.pool, 'connect');
    await archive.call(target);
    const { length } = connect.mock.calls;
    connect.mockRestore();
    return length;
  };
  /** Background jobs query the database now and then, which only adds to the count. */
  const queries = async (target: string): Promise<number> => {
    const counted: number[] = [];
    for (let time = 0; time < 5; time++) counted.push(await queriesOnce(target));
    return Math.min(...counted);
  };
  await archive.importAll(many, { 'a.dcm': smallObject({ SOPInstanceUID: '2.25.81', StudyInstanceUID: '2.25.810' }) });
  // Running thumbnail jobs take connections too.
  await archive.archive.thumbnails.idle();
  await archive.archive.renditions.idle();
  const target = `/resource/study/bypatient/${many}?ppage=100`;
  const one = await queries(target);
  const files = Object.fromEntries(
    Array.from({ length: 8 }, (_, index) => [
      `${index}.dcm`,
      smallObject({ SOPInstanceUID: `2.25.82${index}`, StudyInstanceUID: `2.25.83${index}` }),
    ]),
  );
  await archive.importAll(many, files);
  await archive.archive.thumbnails.idle();
  await archive.archive.renditions.idle();
  expect(one).toBeGreaterThan(0);
  expect(await queries(target)).toBe(one);
});
