import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ImageInfo } from '../../contract/images.ts';
import { problem } from '../../contract/problem.ts';
import type { Study } from '../../contract/studies.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { smallObject } from './small-object.ts';

let archive: ArchiveUnderTest;
let patientId: string;
let patients = 0;

const put = (target: string, body?: unknown, as?: string) =>
  archive.call(target, {
    method: 'PUT',
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    ...(as === undefined ? {} : { as }),
  });
const remove = (target: string) => archive.call(target, { method: 'DELETE' });
const statusAndCode = async (reply: Response) => [reply.status, problem.parse(await reply.json()).code];
const imagesShown = async (): Promise<ImageInfo[]> => {
  const { data } = await (await archive.call(`/resource/study/bypatient/${patientId}`)).json();
  return (data as Study[]).flatMap(({ series }) => series).flatMap(({ images }) => images);
};
const loggedEdits = () =>
  archive.db
    .selectFrom('access_log')
    .select('action')
    .where('patient_id', '=', patientId)
    .where('action', 'not like', '%opened')
    .where('action', 'not like', 'import.%')
    .where('action', '<>', 'patient.listed')
    .orderBy('id')
    .execute();

beforeAll(async () => {
  archive = await archiveUnderTest();
});
afterAll(() => archive.close());

describe('an image', () => {
  let image: ImageInfo;
  beforeEach(async () => {
    patients += 1;
    const { customerId } = archive.clinics;
    patientId = await archive.addPatient({ customerId, personalNumber: `19800101-${1000 + patients}` });
    const study = `2.25.7${patients}`;
    const file = (number: number) =>
      smallObject({ StudyInstanceUID: study, SeriesInstanceUID: `${study}.1`, SOPInstanceUID: `${study}.1.${number}` });
    await archive.importAll(patientId, { 'a.dcm': file(1), 'b.dcm': file(2) });
    const [first] = await imagesShown();
    if (!first) throw new Error('no image');
    image = first;
  });
  const update = (changes = {}, as?: string) =>
    put(
      '/resource/image/update',
      { uid: image.uid, version: image.version, imageComment: null, teeth: null, ...changes },
      as,
    );

  test('takes teeth and description from a user, and those of its file again', async () => {
    const after: ImageInfo = await (await update({ teeth: [47, 46, 46], imageComment: ' Karies? ' })).json();
    expect(after).toMatchObject({
      uid: image.uid,
      version: image.version + 1,
      order: image.order,
      imageComment: 'Karies?',
      teeth: [46, 47],
      teethSource: 'user',
    });
    expect((await imagesShown()).find(({ uid }) => uid === image.uid)).toMatchObject({ teeth: [46, 47] });
    const none: ImageInfo = await (await update({ version: after.version, teeth: [] })).json();
    expect(none).toMatchObject({ teeth: [], teethSource: 'user', imageComment: null });
    const again: ImageInfo = await (await update({ version: none.version })).json();
    expect(again).toMatchObject({ teeth: image.teeth, teethSource: 'file', version: image.version + 3 });
    expect((await loggedEdits()).map(({ action }) => action)).toEqual(['image.edited', 'image.edited', 'image.edited']);
  });

  test('is not overwritten after another edit, not found in another clinic, and rejects unknown teeth', async () => {
    expect((await update({ imageComment: 'mine' })).status).toBe(200);
    expect(await statusAndCode(await update({ imageComment: 'late' }))).toEqual([409, 'conflict']);
    expect(await statusAndCode(await update({}, archive.clinics.otherDoctorId))).toEqual([404, 'not-found']);
    expect(await statusAndCode(await update({ teeth: [19] }))).toEqual([400, 'invalid-request']);
    expect((await imagesShown()).find(({ uid }) => uid === image.uid)?.imageComment).toBe('mine');
  });
});

test('cannot be restored by users who may not delete', async () => {
  const id = randomUUID();
  const { doctorId } = archive.clinics;
  const role = archive.principals.get(doctorId);
  if (!role) throw new Error('no doctor');
  archive.principals.set(doctorId, { ...role, permissions: [...role.permissions, 'disable.delete_study'] });
  try {
    for (const what of ['study', 'series', 'image']) {
      expect(await statusAndCode(await remove(`/resource/${what}/delete/${id}`))).toEqual([403, 'no-right']);
      expect(await statusAndCode(await put(`/resource/${what}/restore/${id}`))).toEqual([403, 'no-right']);
    }
  } finally {
    archive.principals.set(doctorId, role);
  }
});
