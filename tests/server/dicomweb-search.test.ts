import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Claim } from '../../contract/claims.ts';
import { defaultClaims } from '../../contract/claims.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { dicomWebOf, objectAt, valuesOf } from './dicomweb-under-test.ts';

let archive: ArchiveUnderTest;
let web: ReturnType<typeof dicomWebOf>;

const study = '0020000D';
const [anna, bo, cecilia] = ['2.25.71', '2.25.72', '2.25.73'];

beforeAll(async () => {
  archive = await archiveUnderTest({
    dicomWeb: { publicUrl: 'https://images.example', origins: ['https://viewer.example'] },
  });
  web = dicomWebOf(archive);
  await web.addPatient(
    {
      firstName: 'Åsa Maria',
      lastName: 'Lindström',
      personalNumber: '19800101-1234',
      birthDate: '1980-01-01',
      sex: 'F',
    },
    [
      objectAt(anna, {
        StudyTime: '101500',
        ReferringPhysicianName: 'Ek^Lars',
        StudyID: 'A1',
        AccessionNumber: 'ACC-7',
        KVP: 65,
      }),
      objectAt(anna, { StudyTime: '101500' }, 2),
      objectAt(anna, {
        SeriesInstanceUID: `${anna}.1.2`,
        SOPInstanceUID: `${anna}.1.2.1`,
        Modality: 'PX',
        SeriesNumber: 2,
        SeriesDescription: 'Panorama',
      }),
    ],
  );
  await web.addPatient({ firstName: 'Bo', lastName: 'Rosenlind', birthDate: '1951-05-09', sex: 'M' }, [
    objectAt(bo, { StudyDate: '20260401', StudyTime: '153000', StudyDescription: 'Implant' }),
  ]);
  await web.addPatient({ firstName: 'Cecilia', lastName: 'Öberg', birthDate: null, sex: null }, [
    objectAt(cecilia, { StudyDate: '20251224', StudyTime: undefined }),
  ]);
});
afterAll(() => archive?.close());

const studiesFor = async (query: string) =>
  valuesOf(await web.json(`/studies?${query}`), study).map((uid) => String(uid).replace(/\.1$/, ''));

describe('studies', () => {
  it('have the attributes of the standard, from records and files, without Accept', async () => {
    const reply = await web.call('/studies?PatientID=19800101-1234', { headers: { accept: '' } });
    expect(reply.headers.get('content-type')).toBe('application/dicom+json');
    expect(await reply.json()).toEqual([
      {
        '00080005': { vr: 'CS', Value: ['ISO_IR 192'] },
        '00080020': { vr: 'DA', Value: ['20260312'] },
        '00080030': { vr: 'TM', Value: ['101500'] },
        '00080050': { vr: 'SH', Value: ['ACC-7'] },
        '00080056': { vr: 'CS', Value: ['ONLINE'] },
        '00080061': { vr: 'CS', Value: ['IO', 'PX'] },
        '00080090': { vr: 'PN', Value: [{ Alphabetic: 'Ek^Lars' }] },
        '00081030': { vr: 'LO', Value: ['Check-up'] },
        '00081190': {
          vr: 'UR',
          Value: [`https://images.example/dicomweb/${archive.clinics.customerId}/studies/${anna}.1`],
        },
        '00100010': { vr: 'PN', Value: [{ Alphabetic: 'Lindström^Åsa Maria' }] },
        '00100020': { vr: 'LO', Value: ['19800101-1234'] },
        '00100030': { vr: 'DA', Value: ['19800101'] },
        '00100040': { vr: 'CS', Value: ['F'] },
        '0020000D': { vr: 'UI', Value: [`${anna}.1`] },
        '00200010': { vr: 'SH', Value: ['A1'] },
        '00201206': { vr: 'IS', Value: [2] },
        '00201208': { vr: 'IS', Value: [3] },
      },
    ]);
  });

  it.each([
    ['all', 'study'],
    ['StudyDescription', 'study'],
    ['00080090,00100040&includefield=BodyPartExamined', 'series'],
    ['Rows', 'instance'],
    ['KVP', 'instance'],
  ] as const)('return every kept attribute, and no other, for includefield=%s of a %s', async (fields, level) => {
    const path = { study: '/studies', series: '/series', instance: '/instances' }[level];
    const query = `StudyInstanceUID=${anna}.1`;
    const [plain, ...others] = await web.json(`${path}?${query}`);
    expect(await web.json(`${path}?${query}&includefield=${fields}`)).toEqual([plain, ...others]);
    const kept = {
      study: ['00080030', '00080090', '00081030', '00100040', '00200010'],
      series: ['00080021', '00080060', '0008103E', '00180015', '00200011', '00400244'],
      instance: ['00080008', '00080018', '00080023', '00200013', '00280010', '00280011', '00280100'],
    };
    for (const part of ['study', 'series', 'instance'] as const) {
      expect(Object.keys(plain ?? {})).toEqual(expect.arrayContaining(kept[part]));
      if (part === level) break;
    }
    // KVP, which the file has and the archive does not keep.
    expect(plain).not.toHaveProperty('00180060');
  });

  it('come newest first, and none is 200 with an empty list', async () => {
    expect(await studiesFor('')).toEqual([bo, anna, cecilia]);
    expect(await web.json('/studies?PatientID=20200101-0000')).toEqual([]);
  });

  it.each([
    // Keyword or tag, lists of UIDs.
    [`StudyInstanceUID=${anna}.1`, [anna]],
    [`0020000D=${anna}.1,${bo}.1`, [bo, anna]],
    [`0020000D=${anna}.1%5C${bo}.1`, [bo, anna]],
    [`0020000d=${anna}.1&0020000d=${cecilia}.1`, [anna, cecilia]],
    // Names: whole, wildcards anywhere, case and diacritics.
    ['PatientName=Lindstr%C3%B6m%5E%C3%85sa%20Maria', [anna]],
    ['PatientName=LINDSTROM%5Easa%5Emaria', [anna]],
    ['PatientName=lind*', [anna]],
    ['PatientName=*lind*', [bo, anna]],
    ['PatientName=*lind', [bo]],
    ['PatientName=*%5EBo', [bo]],
    ['PatientName=%C3%96ber?', [cecilia]],
    ['PatientName=Lind%25', []],
    ['PatientName=Lindstr_m', []],
    // Fuzzy: beginnings of words in any order.
    ['PatientName=mar%20lind&fuzzymatching=true', [anna]],
    ['PatientName=*obe*&fuzzymatching=true', [cecilia]],
    ['PatientName=lind&fuzzymatching=false', []],
    // Personal numbers in their usual forms.
    ['PatientID=198001011234', [anna]],
    ['PatientID=800101-1234', [anna]],
    ['00100020=800101*', [anna]],
    ['PatientID=1234', []],
    // Dates and times, and their ranges.
    ['StudyDate=20260312', [anna]],
    ['StudyDate=20260101-20260331', [anna]],
    ['StudyDate=20260312-', [bo, anna]],
    ['StudyDate=-20260311', [cecilia]],
    ['StudyTime=1015', [anna]],
    ['StudyTime=1000-1100', [anna]],
    ['StudyTime=1100-', [bo]],
    ['PatientBirthDate=19510509', [bo]],
    ['PatientSex=F', [anna]],
    ['AccessionNumber=ACC-7', [anna]],
    ['AccessionNumber=ACC*', [anna]],
    ['AccessionNumber=CC-7', []],
    ['ModalitiesInStudy=PX', [anna]],
    ['ModalitiesInStudy=PX%5CIO', [bo, anna, cecilia]],
    ['ReferringPhysicianName=Ek*', [anna]],
    ['StudyID=A1', [anna]],
    ['StudyDescription=Impl*', [bo]],
    // All keys apply; empty ones, `*` and unknown ones do not.
    ['PatientName=*lind*&PatientSex=M', [bo]],
    ['PatientName=&StudyDate=&StudyDescription=*', [bo, anna, cecilia]],
    ['Nonsense=1&00990099=2&__proto__=3', [bo, anna, cecilia]],
    // Other parameters.
    ['includefield=all', [bo, anna, cecilia]],
    ['includefield=00081030,00080060&includefield=PatientSex', [bo, anna, cecilia]],
  ])('match %s', async (query, found) => {
    expect(await studiesFor(query)).toEqual(found);
  });

  it.each(['StudyDate=2026', 'StudyDate=20260230', 'StudyTime=25x', 'limit=-1', 'offset=x', 'fuzzymatching=1'])(
    'refuse %s',
    async (query) => {
      const reply = await web.call(`/studies?${query}`);
      expect([reply.status, await reply.json()]).toMatchObject([400, { code: 'invalid-request' }]);
    },
  );

  it('are counted without any, by a limit of 0', async () => {
    const reply = await web.call('/studies?limit=0');
    expect(reply.headers.get('warning')).toMatch(/There are 3 additional results/);
    expect(await reply.json()).toEqual([]);
  });

  it('come in pages, with a warning that counts the rest', async () => {
    const pages = [0, 1, 2, 3].map((offset) => web.call(`/studies?limit=1&offset=${offset}`));
    const replies = await Promise.all(pages);
    expect(replies.map(({ headers }) => headers.get('warning'))).toEqual([
      expect.stringMatching(/^299 https:\S+: There are 2 additional results that can be requested$/),
      expect.stringMatching(/^299 https:\S+: There are 1 additional results that can be requested$/),
      null,
      null,
    ]);
    const found = await Promise.all(replies.map((reply) => reply.json()));
    expect(found.map((matches) => valuesOf(matches, study)[0])).toEqual([
      `${bo}.1`,
      `${anna}.1`,
      `${cecilia}.1`,
      undefined,
    ]);
  });

  it('are refused as XML, which is not written', async () => {
    const accept = 'multipart/related; type="application/dicom+xml"';
    const reply = await web.call('/studies', { headers: { accept } });
    expect([reply.status, await reply.json()]).toMatchObject([406, { code: 'not-acceptable' }]);
    const either = await web.call('/studies', { headers: { accept: `${accept}, application/json;q=0.5` } });
    expect([either.status, either.headers.get('content-type')]).toEqual([200, 'application/json']);
  });
});

describe('series and instances', () => {
  it('of a study have their attributes and addresses', async () => {
    const series = await web.json(`/studies/${anna}.1/series`);
    expect(valuesOf(series, '0020000E')).toEqual([`${anna}.1.1`, `${anna}.1.2`]);
    expect(series[1]).toMatchObject({
      '00080060': { vr: 'CS', Value: ['PX'] },
      '0008103E': { vr: 'LO', Value: ['Panorama'] },
      '00200011': { vr: 'IS', Value: [2] },
      '00201209': { vr: 'IS', Value: [1] },
      '00081190': { Value: [expect.stringMatching(/^https:.*\/studies\/2\.25\.71\.1\/series\/2\.25\.71\.1\.2$/)] },
    });
    const instances = await web.json(`/studies/${anna}.1/series/${anna}.1.1/instances`);
    expect(valuesOf(instances, '00080018')).toEqual([`${anna}.1.1.1`, `${anna}.1.1.2`]);
    expect(instances[1]).toMatchObject({
      '00200013': { Value: [2] },
      '00280010': { Value: [6] },
      '00280011': { Value: [8] },
      '00280008': { Value: [1] },
      '00280100': { Value: [16] },
      '00081190': { Value: [expect.stringMatching(/\/instances\/2\.25\.71\.1\.1\.2$/)] },
    });
    expect(valuesOf(await web.json(`/studies/${anna}.1/instances`), '00080018')).toHaveLength(3);
  });

  it.each([
    [`/series?SeriesInstanceUID=${anna}.1.2`, '0020000E', [`${anna}.1.2`]],
    ['/series?Modality=PX', '0020000E', [`${anna}.1.2`]],
    [`/studies/${anna}.1/series?SeriesNumber=2`, '0020000E', [`${anna}.1.2`]],
    ['/series?PatientName=rosen*', '0020000E', [`${bo}.1.1`]],
    [`/instances?00080018=${bo}.1.1.1`, '00080018', [`${bo}.1.1.1`]],
    ['/instances?StudyDate=-20251231', '00080018', [`${cecilia}.1.1.1`]],
    [`/studies/${anna}.1/instances?InstanceNumber=2`, '00080018', [`${anna}.1.1.2`]],
    [`/studies/${anna}.1/instances?SOPClassUID=1.2.3`, '00080018', []],
    [`/studies/2.25.9/series`, '0020000E', []],
    [`/studies/${anna}.1/series/${bo}.1.1/instances`, '00080018', []],
  ])('match %s', async (path, tag, found) => {
    expect(valuesOf(await web.json(path), tag)).toEqual(found);
  });

  it('refuse a number that is none', async () => {
    expect((await web.call('/series?SeriesNumber=x')).status).toBe(400);
  });
});

describe('a search', () => {
  const entries = async (work: () => Promise<unknown>) => {
    const { rows } = await sql<{ id: number }>`select coalesce(max(id), 0) as id from access_log`.execute(archive.db);
    await work();
    const newer = archive.db
      .selectFrom('access_log')
      .selectAll()
      .where('id', '>', rows[0]?.id ?? 0);
    return (await newer.orderBy('id').execute()).map(({ action, object_id }) => `${action} ${object_id}`);
  };

  it('logs each study once, whatever it returns of it', async () => {
    const rows = await archive.db.selectFrom('study').select(['id', 'uid']).execute();
    const id = (root: string) => rows.find(({ uid }) => uid === `${root}.1`)?.id;
    expect(await entries(() => web.json('/studies?PatientName=*lind*'))).toEqual([
      `study.listed ${id(bo)}`,
      `study.listed ${id(anna)}`,
    ]);
    expect(await entries(() => web.json(`/studies/${anna}.1/instances`))).toEqual([`study.listed ${id(anna)}`]);
    expect(await entries(() => web.json('/studies?PatientName=unknown'))).toEqual([]);
  });

  it('of another clinic is not found, also by its UIDs', async () => {
    const { otherDoctorId, otherCustomerId } = archive.clinics;
    expect((await web.call('/studies', { as: otherDoctorId })).status).toBe(404);
    const other = dicomWebOf(archive, otherCustomerId);
    for (const path of ['/studies', `/studies?StudyInstanceUID=${anna}.1`, `/studies/${anna}.1/series`, '/instances'])
      expect(await other.json(path, { as: otherDoctorId })).toEqual([]);
    expect((await web.call('/studies', { headers: {}, as: 'nobody' })).status).toBe(401);
  });

  it('is denied by disable.open', async () => {
    const { adminId } = archive.clinics;
    const principal = archive.principals.get(adminId);
    if (!principal) throw new Error('no administrator');
    const permissions: Claim[] = [...defaultClaims.CustomerAdmin, 'disable.open'];
    archive.principals.set(adminId, { ...principal, permissions });
    expect((await web.call('/studies', { as: adminId })).status).toBe(403);
    archive.principals.set(adminId, principal);
  });

  it('leaves out protected identities, except by complete number or UID', async () => {
    const { adminId } = archive.clinics;
    const protect = (isProtected: boolean) =>
      archive.db
        .updateTable('patient')
        .set({ has_protected_identity: isProtected })
        .where('last_name', '=', 'Lindström')
        .execute();
    await protect(true);
    try {
      expect(await studiesFor('PatientName=*lind*')).toEqual([bo]);
      expect(await studiesFor('PatientID=800101*')).toEqual([]);
      expect(await studiesFor('PatientID=800101-1234')).toEqual([anna]);
      expect(await studiesFor(`StudyInstanceUID=${anna}.1`)).toEqual([anna]);
      expect(await web.json(`/studies/${anna}.1/series`)).toHaveLength(2);
      expect(await web.json('/studies?PatientName=*lind*', { as: adminId })).toHaveLength(2);
    } finally {
      await protect(false);
    }
  });

  it('finds nothing in the recycle bin, and what is edited as edited', async () => {
    const ofBo = () => archive.db.updateTable('study').where('uid', '=', `${bo}.1`);
    await ofBo().set({ description: 'Krona', search_text: ' krona' }).execute();
    expect(await studiesFor('StudyDescription=Krona')).toEqual([bo]);
    await ofBo().set({ deleted_at: new Date() }).execute();
    expect(await studiesFor('')).toEqual([anna, cecilia]);
    await ofBo().set({ deleted_at: null }).execute();
    const ofSeries = archive.db.updateTable('series').where('uid', '=', `${anna}.1.2`);
    await ofSeries.set({ deleted_at: new Date() }).execute();
    expect(await studiesFor('ModalitiesInStudy=PX')).toEqual([]);
    const [found] = await web.json(`/studies?StudyInstanceUID=${anna}.1`);
    expect(found).toMatchObject({ '00080061': { Value: ['IO'] }, '00201208': { Value: [2] } });
    await ofSeries.set({ deleted_at: null }).execute();
  });

  it('has the attributes of images that an older server imported once the job has read them', async () => {
    await archive.db.updateTable('image').set({ dicom_attributes: null }).execute();
    expect(valuesOf(await web.json(`/studies?StudyInstanceUID=${anna}.1`), '00080030')).toEqual([null]);
    archive.archive.attributes.wake();
    await archive.archive.attributes.idle();
    expect(valuesOf(await web.json(`/studies?StudyInstanceUID=${anna}.1`), '00080030')).toEqual(['101500']);
  });
});

describe('pages of other origins', () => {
  const preflight = (origin: string) =>
    fetch(`${archive.url}/dicomweb/${archive.clinics.customerId}/studies`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' },
    });

  it('may call from the configured origins alone', async () => {
    const allowed = await preflight('https://viewer.example');
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://viewer.example');
    expect(allowed.headers.get('access-control-allow-headers')).toContain('Authorization');
    expect((await preflight('https://elsewhere.example')).headers.get('access-control-allow-origin')).toBeNull();
    const headers = { origin: 'https://viewer.example' };
    const reply = await web.call('/studies', { headers });
    expect(reply.headers.get('access-control-allow-origin')).toBe('https://viewer.example');
    expect(reply.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    const refused = await web.call('/studies', { headers, as: 'nobody' });
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([
      401,
      'https://viewer.example',
    ]);
    expect((await web.call('/studies')).headers.get('access-control-allow-origin')).toBeNull();
  });

  it('read the capabilities', async () => {
    const reply = await fetch(`${archive.url}/dicomweb/${archive.clinics.customerId}`, { method: 'OPTIONS' });
    expect(reply.headers.get('content-type')).toBe('application/vnd.sun.wadl+xml');
    const text = await reply.text();
    expect(text).toContain(`<resources base="https://images.example/dicomweb/${archive.clinics.customerId}">`);
    expect(text).toContain('<resource path="studies/{study}/series/{series}/instances/{instance}/frames/{frames}">');
  });
});
