import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { defaultClaims } from '../../contract/claims.ts';
import type { Order } from '../../contract/orders.ts';
import type { Viewset } from '../../contract/viewsets.ts';
import { toothCode } from '../../dicom/tooth-code.ts';
import type { DataSet } from '../../dicom/write/data-set.ts';
import { ensureStandardTemplates } from '../../server/db/stores/templates.ts';
import type { StandardLayout } from '../../server/domain/standard-layouts.ts';
import { standardTemplate } from '../../server/domain/standard-templates.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { orderBody } from './order-body.ts';
import { deviceOf, quickTimes } from './receiving.ts';

let archive: ArchiveUnderTest;
let patientId: string;

beforeAll(async () => {
  archive = await archiveUnderTest({ receivingTimes: quickTimes });
  await ensureStandardTemplates(archive.db);
  patientId = await archive.addPatient();
});
afterAll(() => archive?.close());

const newUid = () => `2.25.${BigInt(`0x${randomUUID().replaceAll('-', '').slice(0, 20)}`)}`;
const ofTeeth = (...teeth: readonly number[]): DataSet => ({
  PrimaryAnatomicStructureSequence: teeth.map(toothCode),
});

/** A study of the clinic's device, whose images are those of exactly one patient. */
const newStudy = (uid = newUid()) => {
  const object = (changes: DataSet) => ({
    StudyInstanceUID: uid,
    SeriesInstanceUID: newUid(),
    SOPInstanceUID: newUid(),
    ...changes,
  });
  /** Sends images in one association, waits until they are imported, and returns their UIDs. */
  const receive = async (images: readonly DataSet[], device = deviceOf(archive, { atOnce: true })) => {
    const objects = images.map(object);
    const { id } = await device.sendStudy(...objects);
    expect(await archive.waitForStep(id, 5)).toMatchObject({ step: 5, error: false });
    return objects.map(({ SOPInstanceUID }) => String(SOPInstanceUID));
  };
  return { uid, receive };
};

/** The mounts of a study: their names, and the images of their slots by description. */
const mountsOf = async (study: string) => {
  const rows = await archive.db
    .selectFrom('viewset_item')
    .innerJoin('viewset', 'viewset.id', 'viewset_item.viewset_id')
    .innerJoin('study', 'study.id', 'viewset.study_id')
    .leftJoin('image', 'image.id', 'viewset_item.image_id')
    .select(['viewset.id', 'viewset.name', 'viewset_item.description', 'image.sop_instance_uid as image'])
    .where('study.uid', '=', study)
    .where('study.patient_id', '=', patientId)
    .execute();
  return [...Map.groupBy(rows, ({ id }) => id)].map(([id, slots]) => ({
    id,
    name: slots[0]?.name,
    images: Object.fromEntries(slots.flatMap(({ description, image }) => (image ? [[description, image]] : []))),
  }));
};
const logOf = (objectId: string) =>
  archive.db
    .selectFrom('access_log')
    .select(['account_id', 'patient_id', 'action'])
    .where('object_id', '=', objectId)
    .orderBy('id')
    .execute();

/** Makes a mount of a study that the archive has, as a user does. */
const makeMount = async (study: string, layout: StandardLayout): Promise<Viewset> => {
  const templateUUID = standardTemplate(layout).uuid;
  const body = { patientUID: patientId, currentStudyUID: study, currentViewsetUID: null, templateUUID };
  const reply = await archive.post('/resource/viewset/', body);
  expect(reply.status, await reply.clone().text()).toBe(200);
  return reply.json();
};

describe('a panoramic image that is imported without a user', () => {
  const panorama = { Modality: 'PX' };

  it('is mounted as a panoramic image of the patient when it was ordered, and the log names the device', async () => {
    const body = { ...orderBody(), patientId };
    const order: Order = await (await archive.post('/resource/orders/create', body, archive.clinics.doctorId)).json();
    const device = deviceOf(archive);
    const [image] = await newStudy(order.studyUid).receive([panorama], device);
    const [mount, ...others] = await mountsOf(order.studyUid);
    expect(others).toEqual([]);
    expect(mount).toMatchObject({ name: 'Panorama', images: { Panorama: image } });
    expect(await logOf(mount?.id ?? '')).toContainEqual({
      account_id: device.sender.sourceId,
      patient_id: patientId,
      action: 'viewset.created',
    });
  });

  it('is mounted when its device may import at once, and a second one of the study stays unmounted', async () => {
    const { uid, receive } = newStudy();
    const [first] = await receive([panorama]);
    await receive([panorama]);
    expect(await mountsOf(uid)).toMatchObject([{ name: 'Panorama', images: { Panorama: first } }]);
  });

  it.each<[string, readonly DataSet[]]>([
    ['when it is one of several', [panorama, panorama]],
    ['beside an image of another kind', [panorama, { Modality: 'IO' }]],
    ['when it shows one side', [{ ...panorama, ImageLaterality: 'R' }]],
    ['when it shows one jaw', [{ ...panorama, ...ofTeeth(17, 16, 26, 27) }]],
    ['when it shows the teeth of one side', [{ ...panorama, ...ofTeeth(17, 16, 46, 47) }]],
    ['when its modality is of several kinds of images', [{ Modality: 'DX' }]],
  ])('stays unmounted %s', async (_, images) => {
    const { uid, receive } = newStudy();
    await receive(images);
    expect(await mountsOf(uid)).toEqual([]);
  });

  it('stays unmounted when the user who sent it may not make mounts', async () => {
    const { doctorId } = archive.clinics;
    const ofDoctor = archive.db.selectFrom('account').select('role_id').where('id', '=', doctorId);
    const set = async (claims: readonly string[]) => {
      await archive.db
        .updateTable('role')
        .set({ claims: [...claims] })
        .where('id', '=', ofDoctor)
        .execute();
    };
    onTestFinished(() => set(defaultClaims.Doctor));
    const user = () => deviceOf(archive, { source: 'dicomweb', sourceId: doctorId, accountId: doctorId, atOnce: true });
    await set([...defaultClaims.Doctor, 'disable.new_series']);
    const limited = newStudy();
    await limited.receive([panorama], user());
    expect(await mountsOf(limited.uid)).toEqual([]);
    await set(defaultClaims.Doctor);
    const free = newStudy();
    await free.receive([panorama], user());
    expect(await mountsOf(free.uid)).toHaveLength(1);
  });
});

describe('an image with known teeth that is imported without a user', () => {
  const molars = ofTeeth(17, 16);

  /** A study with one image, which the mount of the study does not have. */
  const studyWithMount = async (layout: StandardLayout = 'fmx18') => {
    const study = newStudy();
    await study.receive([{ Modality: 'IO' }]);
    expect(await mountsOf(study.uid)).toEqual([]);
    return { ...study, mount: await makeMount(study.uid, layout) };
  };

  it('is mounted in the slot of the mount of its study, with a new version and an entry in the log', async () => {
    const { uid, receive, mount } = await studyWithMount();
    const device = deviceOf(archive, { atOnce: true });
    const [upper, bitewing] = await receive([molars, ofTeeth(17, 16, 47, 46)], device);
    const [now] = await mountsOf(uid);
    expect(now?.images).toEqual({ 'Molar överkäke höger': upper, 'Bitewing molar höger': bitewing });
    const row = archive.db.selectFrom('viewset').select('version').where('id', '=', mount.viewSetUuid);
    expect((await row.executeTakeFirstOrThrow()).version).toBeGreaterThan(mount.version);
    const { id } = await archive.db
      .selectFrom('image')
      .select('id')
      .where('sop_instance_uid', '=', upper ?? '')
      .executeTakeFirstOrThrow();
    expect(await logOf(id)).toContainEqual({
      account_id: device.sender.sourceId,
      patient_id: patientId,
      action: 'image.mounted',
    });
  });

  it('stays unmounted when its slot is taken, although another one shows some of its teeth', async () => {
    const { uid, receive } = await studyWithMount();
    const [first] = await receive([molars]);
    await receive([molars]);
    expect((await mountsOf(uid))[0]?.images).toEqual({ 'Molar överkäke höger': first });
  });

  it.each<[string, readonly DataSet[]]>([
    ['when two images have the teeth of one slot', [molars, molars]],
    ['when two slots fit equally', [ofTeeth(16, 15)]],
    ['when it has no teeth', [{ ImageLaterality: 'R' }]],
    ['when it is of a kind that the mount does not take', [{ Modality: 'PX', ...molars }]],
  ])('stays unmounted %s', async (_, images) => {
    const { uid, receive } = await studyWithMount();
    await receive(images);
    expect((await mountsOf(uid))[0]?.images).toEqual({});
  });

  it('stays unmounted when the study has two mounts', async () => {
    const { uid, receive } = await studyWithMount();
    await makeMount(uid, 'bitewings2');
    await receive([molars]);
    expect((await mountsOf(uid)).map(({ images }) => images)).toEqual([{}, {}]);
  });

  it('stays unmounted when a user has left it so, and it is sent again with another one', async () => {
    const study = newStudy();
    const sent = { ...molars, SeriesInstanceUID: newUid(), SOPInstanceUID: newUid() };
    await study.receive([sent]);
    await makeMount(study.uid, 'fmx18');
    const [, canine] = await study.receive([sent, ofTeeth(13, 12)]);
    expect((await mountsOf(study.uid))[0]?.images).toEqual({ 'Hörntand överkäke höger': canine });
  });
});
