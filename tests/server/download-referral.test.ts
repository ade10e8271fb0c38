import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { downloadUnderTest } from './download-under-test.ts';
import { unzipped } from './unzipped.ts';

const bench = downloadUnderTest();

describe('a referral', () => {
  const question = 'Periapikal destruktion 36?\nTacksam för bedömning.';
  const referralOf = async (scope: object, as?: string) => {
    const reply = await bench.archive.post('/resource/image/download', { ...scope, question }, as);
    expect(reply.status).toBe(200);
    const zip = Buffer.from(await reply.arrayBuffer());
    expect(reply.headers.get('content-length')).toBe(String(zip.length));
    return new Map(await unzipped(zip)).get('referral.txt')?.toString();
  };

  it('has recipient, purpose, question, and file, day and teeth of each image that was sent', async () => {
    const { patient, images } = await bench.patientWithImages('referral');
    const [first = '', second = '', third = ''] = images;
    const { db } = bench.archive;
    await db
      .updateTable('image')
      .set({ teeth: [36], acquired_at: '2024-05-01T08:00:00' })
      .where('id', '=', first)
      .execute();
    await db
      .updateTable('image')
      .set({ teeth: [11], chosen_teeth: [26, 27] })
      .where('id', '=', third)
      .execute();
    const lines = ['Käkkirurgen', 'Remiss', '', 'Periapikal destruktion 36?', 'Tacksam för bedömning.', ''];
    const scope = { patientId: patient.id, recipient: ' Käkkirurgen ', purpose: 'Remiss' };
    expect((await referralOf({ ...scope, content: 'dicom' }))?.split('\r\n')).toEqual([
      ...lines,
      'DICOM/IM000001\t2024-05-01\t36',
      // A picture without a time of its own.
      'DICOM/IM000002',
      'DICOM/IM000003\t2026-03-10\t26 27',
      '',
    ]);
    // An image whose file is missing is not sent, and not in the list.
    await db
      .updateTable('image')
      .set({ sha256: 'f'.repeat(64) })
      .where('id', '=', third)
      .execute();
    expect((await referralOf({ imageUIDs: [third, first, second] }))?.split('\r\n')).toEqual([
      'Periapikal destruktion 36?',
      'Tacksam för bedömning.',
      '',
      '2024-05-01_IO_002.dcm\t2024-05-01\t36',
      '2024-05-01_IO_003.jpg',
      '',
    ]);
  });

  it('has the teeth of the slots of an image, unless a user has chosen others', async () => {
    const { patient, studies, images } = await bench.patientWithImages('slot');
    const { db } = bench.archive;
    const viewsetId = randomUUID();
    const size = { width: 100, height: 100 };
    const viewset = { id: viewsetId, study_id: studies.earlier, name: 'A', comments: null, template_id: null };
    await db
      .insertInto('viewset')
      .values({ ...viewset, ...size, deleted_at: null })
      .execute();
    const slot = { x_pos: 0, y_pos: 0, rotation: 0, horizontal_flip: false, description: null, teeth: [17, 16] };
    for (const [index, image_id] of images.entries())
      await db
        .insertInto('viewset_item')
        .values({ ...slot, ...size, viewset_id: viewsetId, item_index: index, capture_order: index, image_id })
        .execute();
    await db
      .updateTable('image')
      .set({ teeth: [36] })
      .where('id', 'in', images)
      .execute();
    await db
      .updateTable('image')
      .set({ chosen_teeth: [21] })
      .where('id', '=', images[1] ?? '')
      .execute();
    const teeth = async () =>
      (await referralOf({ patientId: patient.id }))?.split('\r\n').flatMap((line) => line.split('\t')[2] ?? []);
    expect(await teeth()).toEqual(['16 17', '21', '16 17']);
    await db.updateTable('viewset').set({ deleted_at: new Date() }).where('id', '=', viewsetId).execute();
    expect(await teeth()).toEqual(['36', '21', '36']);
  });

  it('is refused with an anonymised copy, and when it is too long', async () => {
    const { patient } = await bench.patientWithImages('refused');
    const asked = (body: object) => bench.archive.post('/resource/image/download', { patientId: patient.id, ...body });
    expect((await asked({ content: 'anonymised', question })).status).toBe(400);
    expect((await asked({ question: 'x'.repeat(4_001) })).status).toBe(400);
    expect((await asked({ question: ' ' })).status).toBe(400);
  });
});
