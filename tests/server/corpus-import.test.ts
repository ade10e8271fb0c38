import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ImportFile } from '../../contract/imports.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { addClinic } from './clinic.ts';

const folder = process.env.DENTARIUM_CORPUS ?? path.resolve(import.meta.dirname, '../../../shared/corpus');

interface Entry {
  readonly file: string;
  readonly expected: string;
}

const readIndex = (): Entry[] => {
  try {
    const lines = readFileSync(path.join(folder, 'INDEX.tsv'), 'utf8').split('\n').slice(1).filter(Boolean);
    return lines.map((line) => {
      const columns = line.split('\t');
      return { file: columns[0] ?? '', expected: columns.at(-1) ?? '' };
    });
  } catch {
    console.log(`The corpus of real files is not at ${folder}: its imports are not tested.`);
    return [];
  }
};

const index = readIndex();
const outcomes = new Map<string, ImportFile>();
let archive: ArchiveUnderTest | null = null;

/** Files of the corpus share SOP Instance UIDs, so each is imported into a separate clinic. */
const importAlone = async (under: ArchiveUnderTest, file: string): Promise<void> => {
  const customerId = await addClinic(under.db, file.slice(-200));
  const patientId = await under.addPatient({ customerId });
  const as = under.clinics.superId;
  const begun = await under.post('/resource/ImageImport', { patientId, totalFilesCount: 1 }, as);
  const { id } = await begun.json();
  const sent = await under.send(id, path.basename(file), readFileSync(path.join(folder, file)), as);
  if (!sent.ok) throw new Error(`${file}: ${sent.status}`);
  await under.post('/resource/ImageImport/dicom/parse', { id }, as);
  const taskAt = async (step: number) => {
    for (;;) {
      const task = await (await under.call(`/resource/ImageImport/${id}`, { as })).json();
      if (task.step >= step || task.error) return task;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  if (!(await taskAt(3)).error) {
    await under.post('/resource/ImageImport/dicom/import', { id, mismatchConfirmed: true }, as);
  }
  outcomes.set(file, (await taskAt(5)).files[0]);
};

describe.skipIf(index.length === 0)('the corpus of real files', () => {
  beforeAll(async () => {
    const under = await archiveUnderTest();
    archive = under;
    const queue = index[Symbol.iterator]();
    const importNext = async () => {
      for (const { file } of queue) await importAlone(under, file);
    };
    await Promise.all([importNext(), importNext(), importNext(), importNext()]);
  }, 240_000);

  afterAll(() => archive?.close());

  const marked = (pattern: RegExp) => index.filter(({ expected }) => pattern.test(expected)).map(({ file }) => file);
  const clearly = /clear error \(no crash, nothing half-imported\)$|without allocating 3 GB/;

  test.each(marked(/^import(\+render|$| \(member| as )/))('%s is imported', (file) => {
    expect(outcomes.get(file)).toMatchObject({ status: 'imported' });
  });

  test.each(marked(clearly))('%s is rejected with its problem', (file) => {
    const outcome = outcomes.get(file);
    expect(outcome).toMatchObject({
      fileName: path.basename(file),
      status: 'refused',
      problem: expect.any(String),
      imageUid: null,
    });
    expect(outcome?.detail).toBeTruthy();
  });

  test.each(index.map(({ file }) => file))('%s is either imported or rejected with a problem', (file) => {
    const outcome = outcomes.get(file);
    if (outcome?.status !== 'imported')
      expect(outcome).toMatchObject({ status: expect.stringMatching(/refused|ignored/), detail: expect.any(String) });
  });

  test.each(marked(/folder files/))('%s is the index of a disc, no image', (file) => {
    expect(outcomes.get(file)).toMatchObject({ status: 'ignored', problem: 'media-directory' });
  });

  test('the server runs, no errors occur outside the files, and every image has a thumbnail or an error', async () => {
    await archive?.archive.thumbnails.idle();
    expect(archive?.failures).toEqual([]);
    const rows = await archive?.db.selectFrom('image').select(['file_name', 'kind', 'thumb_status']).execute();
    expect(rows?.filter(({ thumb_status }) => thumb_status === 'pending')).toEqual([]);
    expect(rows?.filter(({ kind, thumb_status }) => kind === 'image' && thumb_status === 'error')).toEqual([]);
  });
});
