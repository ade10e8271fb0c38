import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { presentationState, type presentationStates } from '../../contract/presentation-states.ts';
import type { ReplyOf } from '../../contract/route.ts';
import { bytesOf, element } from '../dicom/build-dicom.ts';
import {
  annotationItem,
  bitmapShutter,
  overlayElements,
  type State,
  sequence,
  stateFile,
} from '../dicom/build-state.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { smallObject } from './small-object.ts';

let archive: ArchiveUnderTest;
beforeAll(async () => {
  archive = await archiveUnderTest();
});
afterAll(() => archive.close());

let count = 0;
const patientElements = bytesOf(
  element(0x00100010, 'PN', 'Lindstrom^Asa'),
  element(0x00100020, 'LO', '19800101-1234'),
  element(0x00100030, 'DA', '19800101'),
);

/** A patient with the files of one image and its state. */
const newCase = async (customerId = archive.clinics.customerId) => {
  count += 1;
  const uid = `2.25.4${count}00`;
  const patientId = await archive.addPatient({ customerId, personalNumber: `19800101-${1000 + count}` });
  const image = smallObject({
    SOPInstanceUID: `${uid}.1`,
    StudyInstanceUID: `${uid}.2`,
    SeriesInstanceUID: `${uid}.3`,
  });
  const state = (changes: State = {}, number = 9) =>
    stateFile({
      sopInstanceUid: `${uid}.${number}`,
      studyUid: `${uid}.2`,
      images: [[`${uid}.1`]],
      patient: patientElements,
      ...changes,
    });
  return { uid, patientId, image, state };
};

const importOne = async (patientId: string, name: string, bytes: Uint8Array): Promise<string> => {
  const { files } = await archive.importAll(patientId, { [name]: bytes });
  return files[0]?.imageUid ?? 'not imported';
};

const replyOf = (id: string, as?: string) =>
  archive.call(`/resource/presentation-state/image/${id}`, as === undefined ? {} : { as });
const statesOf = async (id: string): Promise<ReplyOf<typeof presentationStates>> => {
  const reply = await replyOf(id);
  expect(reply.status).toBe(200);
  return reply.json();
};

const studiesOf = async (patientId: string) =>
  (await (await archive.call(`/resource/study/bypatient/${patientId}`)).json()).data;

describe('a state', () => {
  it.each(['before', 'after'])(
    'that arrives %s its image is offered with it, and kept byte for byte',
    async (order) => {
      const { uid, patientId, image, state } = await newCase();
      const bytes = state({ description: 'Retake' });
      const steps = [() => importOne(patientId, 'image', image), () => importOne(patientId, 'state', bytes)];
      const ids: string[] = [];
      for (const step of order === 'after' ? steps : steps.toReversed()) ids.push(await step());
      const [imageId = '', stateId = ''] = order === 'after' ? ids : ids.toReversed();
      const { states, unreadable } = await statesOf(imageId);
      expect(states).toMatchObject([{ id: stateId, label: 'SECOND OPINION', description: 'Retake', frames: null }]);
      expect(unreadable).toBe(0);
      const row = await archive.db.selectFrom('image').selectAll().where('id', '=', stateId).executeTakeFirstOrThrow();
      expect(row).toMatchObject({ kind: 'document', sop_instance_uid: `${uid}.9` });
      const original = await archive.call(`/resource/viewset/get_image?imageUID=${stateId}`);
      expect(Buffer.from(await original.arrayBuffer())).toEqual(Buffer.from(bytes));
    },
  );

  it('is no image or document of the study, nor of its counts', async () => {
    const { patientId, image, state } = await newCase();
    const imageId = await importOne(patientId, 'image', image);
    await importOne(patientId, 'state', state());
    const [study] = await studiesOf(patientId);
    expect(study.series.flatMap(({ images }: { images: { uid: string }[] }) => images.map(({ uid }) => uid))).toEqual([
      imageId,
    ]);
    const gallery = await archive.db.selectFrom('gallery_image').select('image_id').where('patient_id', '=', patientId);
    expect(await gallery.execute()).toEqual([{ image_id: imageId }]);
    const to = await archive.addPatient({
      customerId: archive.clinics.customerId,
      personalNumber: `19810101-${1000 + count}`,
    });
    const preview = await archive.call(
      `/resource/move/preview?what=study&id=${study.id}&patientFromId=${patientId}&patientToId=${to}`,
    );
    expect(await preview.json()).toMatchObject({ counts: { images: 1 } });
    const merge = await archive.call(`/resource/study/move_all/preview?patientFromId=${patientId}&patientToId=${to}`);
    expect(await merge.json()).toMatchObject({ counts: { images: 1 } });
  });

  it('leaves a study without images empty, and waits for its image', async () => {
    const { patientId, image, state } = await newCase();
    await importOne(patientId, 'state', state());
    expect(await studiesOf(patientId)).toMatchObject([{ series: [] }]);
    expect((await statesOf(await importOne(patientId, 'image', image))).states).toHaveLength(1);
  });

  it('is offered newest first, for the images that it names alone', async () => {
    const { uid, patientId, image, state } = await newCase();
    const other = smallObject({
      SOPInstanceUID: `${uid}.5`,
      StudyInstanceUID: `${uid}.2`,
      SeriesInstanceUID: `${uid}.3`,
      InstanceNumber: 2,
    });
    const imageId = await importOne(patientId, 'image', image);
    const otherId = await importOne(patientId, 'other', other);
    await importOne(patientId, 'first', state({ label: 'LATER', createdOn: '20260320' }, 7));
    await importOne(patientId, 'second', state({ label: 'EARLIER', createdOn: '20260301' }, 8));
    await importOne(patientId, 'third', state({ label: 'OTHER', images: [[`${uid}.5`]] }, 9));
    const labels = async (id: string) => (await statesOf(id)).states.map(({ label }) => label);
    expect(await labels(imageId)).toEqual(['LATER', 'EARLIER']);
    expect(await labels(otherId)).toEqual(['OTHER']);
    // Once more, from what is remembered of the files.
    expect(await labels(imageId)).toEqual(['LATER', 'EARLIER']);
  });

  it('of another patient does not apply, even when it names the image', async () => {
    const { patientId, image, state } = await newCase();
    const stranger = await archive.addPatient({
      customerId: archive.clinics.customerId,
      personalNumber: `19820101-${1000 + count}`,
    });
    const imageId = await importOne(patientId, 'image', image);
    await importOne(stranger, 'state', state({ studyUid: `2.25.${count}99` }));
    expect((await statesOf(imageId)).states).toEqual([]);
  });

  it('goes to the recycle bin and back with its study', async () => {
    const { patientId, image, state } = await newCase();
    const imageId = await importOne(patientId, 'image', image);
    await importOne(patientId, 'state', state({ studyUid: `2.25.${count}98` }));
    const study = (await studiesOf(patientId)).find(({ series }: { series: unknown[] }) => series.length === 0);
    expect((await statesOf(imageId)).states).toHaveLength(1);
    await archive.call(`/resource/study/delete/${study.id}`, { method: 'DELETE' });
    expect((await statesOf(imageId)).states).toEqual([]);
    await archive.call(`/resource/study/restore/${study.id}`, { method: 'PUT' });
    expect((await statesOf(imageId)).states).toHaveLength(1);
  });

  it('that cannot be read is counted', async () => {
    const { patientId, image, state } = await newCase();
    const imageId = await importOne(patientId, 'image', image);
    const stateId = await importOne(patientId, 'state', state());
    const { sha256 } = await archive.db
      .selectFrom('image')
      .select('sha256')
      .where('id', '=', stateId)
      .executeTakeFirstOrThrow();
    await writeFile(await archive.archive.files.localPath(sha256), 'damaged');
    expect(await statesOf(imageId)).toEqual({ states: [], unreadable: 1, unsupported: 0 });
  });

  it('in pseudo-colour stays a document, and is counted for the images that it names', async () => {
    const { uid, patientId, image, state } = await newCase();
    const pseudoColour = '1.2.840.10008.5.1.4.1.1.11.3';
    const imageId = await importOne(patientId, 'image', image);
    const bytes = Buffer.from(state()).toString('latin1').replaceAll('1.2.840.10008.5.1.4.1.1.11.1', pseudoColour);
    await importOne(patientId, 'state', Buffer.from(bytes, 'latin1'));
    expect(await statesOf(imageId)).toEqual({ states: [], unreadable: 0, unsupported: 1 });
    // Once more, from what is remembered of the file.
    expect(await statesOf(imageId)).toMatchObject({ unsupported: 1 });
    const other = { SOPInstanceUID: `${uid}.5`, StudyInstanceUID: `${uid}.2`, SeriesInstanceUID: `${uid}.3` };
    const otherId = await importOne(patientId, 'other', smallObject({ ...other, InstanceNumber: 2 }));
    expect(await statesOf(otherId)).toMatchObject({ unsupported: 0 });
    const [study] = await studiesOf(patientId);
    const kinds = study.series.flatMap(({ images }: { images: { kind: string }[] }) => images.map(({ kind }) => kind));
    expect(kinds.toSorted()).toEqual(['document', 'image', 'image']);
  });
});

describe('the states of an image', () => {
  it('are not found by users of another clinic', async () => {
    const { patientId, image } = await newCase();
    const imageId = await importOne(patientId, 'image', image);
    expect((await replyOf(imageId, archive.clinics.otherDoctorId)).status).toBe(404);
    expect((await replyOf(randomUUID())).status).toBe(404);
  });

  it('are none of an object without pixels', async () => {
    const { patientId, state } = await newCase();
    const reply = await replyOf(await importOne(patientId, 'state', state()));
    expect([reply.status, await reply.json()]).toMatchObject([422, { code: 'image-has-no-pixels' }]);
  });

  it('announce a new one with the end of its import', async () => {
    const { patientId, image, state } = await newCase();
    await importOne(patientId, 'image', image);
    const since = archive.events.length;
    await importOne(patientId, 'state', state());
    expect(archive.events.slice(since).map(({ event }) => event.name)).toContain('imported');
  });

  it('of a colour state name a profile that is not applied', async () => {
    const { patientId, image, state } = await newCase();
    const imageId = await importOne(patientId, 'image', image);
    const icc = async (name: string) => {
      const png = await sharp({ create: { width: 1, height: 1, channels: 3, background: 'red' } })
        .withIccProfile(name)
        .png()
        .toBuffer();
      return element(0x00282000, 'OB', (await sharp(png).metadata()).icc ?? new Uint8Array(0));
    };
    await importOne(patientId, 'wide', state({ colour: true, label: 'WIDE', grey: await icc('p3') }, 7));
    await importOne(patientId, 'usual', state({ colour: true, label: 'USUAL', grey: await icc('srgb') }, 8));
    const { states } = await statesOf(imageId);
    expect(states.map(({ label, grey, notShown }) => [label, grey, notShown]).toSorted()).toEqual([
      ['USUAL', null, []],
      ['WIDE', null, ['colour-profile']],
    ]);
  });

  it('have the shutters and annotations of the file', async () => {
    const { patientId, image, state } = await newCase();
    const imageId = await importOne(patientId, 'image', image);
    const shutter = bytesOf(
      element(0x00181600, 'CS', 'CIRCULAR'),
      element(0x00181610, 'IS', '3\\4'),
      element(0x00181612, 'IS', '2'),
    );
    const line = { type: 'POLYLINE', points: [0, 0, 8, 6] };
    const grey = sequence(0x00283110, [bytesOf(element(0x00281050, 'DS', '900'), element(0x00281051, 'DS', '400'))]);
    await importOne(
      patientId,
      'state',
      state({ shutter, grey, area: [1, 1, 8, 6], annotations: [annotationItem('A', [line])] }),
    );
    expect((await statesOf(imageId)).states).toMatchObject([
      {
        grey: { vois: [{ voi: { centre: 900, width: 400 } }] },
        shutters: [{ shape: 'circle' }],
        bitmapShutter: null,
        areas: [],
        annotations: [
          {
            graphics: [
              {
                points: [
                  [0, 0],
                  [8, 6],
                ],
              },
            ],
          },
        ],
      },
    ]);
  });

  it('have the displayed area and the bitmap shutter of the file', async () => {
    const { patientId, image, state } = await newCase();
    const imageId = await importOne(patientId, 'image', image);
    const overlays = overlayElements({ rows: ['x.x'] });
    const area = [2, 1, 3, 4] as const;
    await importOne(patientId, 'state', state({ area, shutter: bitmapShutter(), overlays }));
    const { states } = await statesOf(imageId);
    expect(states).toMatchObject([
      {
        areas: [{ frames: null, from: [1, 0], to: [3, 4], magnification: null, isTrueSize: false }],
        bitmapShutter: { x: 0, y: 0, width: 3, height: 1, runs: [0, 1, 1, 1] },
        notShown: [],
      },
    ]);
    // A server before them names neither.
    const older = { ...states[0], areas: undefined, bitmapShutter: undefined };
    expect(presentationState.parse(older)).toMatchObject({ areas: [], bitmapShutter: null });
  });
});
