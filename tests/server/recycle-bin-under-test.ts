import { afterAll, beforeAll, beforeEach } from 'vitest';
import { problem } from '../../contract/problem.ts';
import type { Study } from '../../contract/studies.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { smallObject } from './small-object.ts';

export const statusAndCode = async (reply: Response) => [reply.status, problem.parse(await reply.json()).code];

/** Starts an archive, adds a patient before each test, and returns the calls of the recycle bin. */
export const recycleBinUnderTest = () => {
  let archive: ArchiveUnderTest;
  let patientId: string;
  let number: string;
  let count = 0;

  const send = (method: string, target: string, as: string, body?: unknown) =>
    archive.call(target, {
      method,
      as,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });

  const admin = () => archive.clinics.adminId;

  const remove = (what: 'patient' | 'study', id: string, as = admin()) =>
    send('DELETE', `/resource/${what}/delete/${id}`, as);

  const restore = (what: 'patient' | 'study', id: string, as = admin()) =>
    send('PUT', `/resource/${what}/restore/${id}`, as);

  const studiesOf = async (id: string): Promise<Study[]> =>
    (await (await archive.call(`/resource/study/bypatient/${id}`)).json()).data;

  const newPatient = (fields: Partial<Parameters<ArchiveUnderTest['addPatient']>[0]> = {}) => {
    count += 1;
    number = `19800101-${1000 + count}`;
    return archive.addPatient({ customerId: archive.clinics.customerId, personalNumber: number, ...fields });
  };

  const files = (images: number, description = 'Kontroll') => {
    count += 1;
    const study = `2.25.6${count}`;
    return Object.fromEntries(
      Array.from({ length: images }, (_, index) => [
        `${index}.dcm`,
        smallObject({
          StudyInstanceUID: study,
          SeriesInstanceUID: `${study}.1`,
          SOPInstanceUID: `${study}.1.${index}`,
          StudyDescription: description,
          InstanceNumber: index + 1,
        }),
      ]),
    );
  };

  const entriesOf = (id: string, ...actions: string[]) =>
    archive.db
      .selectFrom('access_log')
      .select(['action', 'account_id', 'object_id'])
      .where('patient_id', '=', id)
      .where('action', 'in', actions as never)
      .orderBy('id')
      .execute();

  beforeAll(async () => {
    archive = await archiveUnderTest();
  });

  afterAll(() => archive.close());

  beforeEach(async () => {
    patientId = await newPatient();
  });

  return {
    get archive() {
      return archive;
    },
    get patientId() {
      return patientId;
    },
    get number() {
      return number;
    },
    send,
    admin,
    remove,
    restore,
    studiesOf,
    newPatient,
    files,
    entriesOf,
  };
};
