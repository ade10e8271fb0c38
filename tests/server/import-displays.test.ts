import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainDisplay } from '../../contract/displays.ts';
import type { Viewset } from '../../contract/viewsets.ts';
import { displayFile, plainContent, stateFileOf } from '../dicom/written-objects.ts';
import { clinicImport } from './clinic-import.ts';
import { comparable, displayedMount, expressible, mediumOf } from './displays-under-test.ts';
import { usingEmptyInstallation } from './empty-installation.ts';
import { smallObject } from './small-object.ts';

let clinic: Awaited<ReturnType<typeof displayedMount>>;
let medium: Awaited<ReturnType<typeof mediumOf>>;
beforeAll(async () => {
  clinic = await displayedMount();
  medium = await mediumOf(clinic.bench, { patientId: clinic.bench.patientId });
});
afterAll(() => clinic.bench.close());

const named = (pattern: RegExp) => Object.fromEntries([...medium.files].filter(([name]) => pattern.test(name)));

describe('a mount that leaves as DICOM objects', () => {
  it('is the same in an empty installation, value by value', () =>
    usingEmptyInstallation(async (other) => {
      await other.importFiles({ 'medium.zip': medium.zip }, 'dicomdir');
      const [arrived, ...more] = await other.mounts();
      expect(more).toEqual([]);
      expect(arrived && comparable(arrived)).toEqual(comparable(clinic.viewset));
      expect(arrived?.arrival).toEqual({ missing: [], notTaken: [] });
      // No user of this installation has set them.
      const displays = await other.archive.db.selectFrom('image_display').select('account_id').execute();
      expect(displays).toEqual([{ account_id: null }, { account_id: null }, { account_id: null }]);
      // Neither mounts nor states are images or documents of the patient.
      expect(arrived?.detachedImages).toEqual([]);
      const log = other.archive.db.selectFrom('access_log').select(['action', 'object_id']);
      expect(await log.where('action', '=', 'viewset.created').execute()).toEqual([
        { action: 'viewset.created', object_id: arrived?.viewSetUuid },
      ]);
    }));

  it.each([
    ['objects before images', [/PS/, /IM/]],
    ['images before objects', [/IM/, /PS/]],
    ['the mount, one image, the states, the others', [/PS000004/, /IM000002/, /PS00000[123]/, /IM/]],
  ] as const)('is the same when its files arrive in another order: %s', (_, order) =>
    usingEmptyInstallation(async (other) => {
      for (const pattern of order) await other.importFiles(named(pattern));
      const [arrived, ...more] = await other.mounts();
      expect(more).toEqual([]);
      expect(arrived && comparable(arrived)).toEqual(comparable(clinic.viewset));
      expect(arrived?.arrival).toEqual({ missing: [], notTaken: [] });
    }),
  );

  it('has the same slots, orientations, windows and inversion for a program that knows no private elements', () =>
    usingEmptyInstallation(async (other) => {
      const others = Object.entries(named(/IM|PS/)).map(([name, bytes]): [string, Uint8Array] => [
        name,
        Buffer.from(bytes.toString('latin1').replace('DENTARIUM 1.0', 'SOMETHING ELS'), 'latin1'),
      ]);
      await other.importFiles(Object.fromEntries(others));
      const [arrived] = await other.mounts();
      const seen = (viewset: Viewset | undefined) =>
        viewset?.viewSetItems.map(({ xPos, yPos, width, height, activeImage, ...item }) => ({
          place: [xPos, yPos, width, height],
          image: activeImage?.sopInstanceUid,
          ...(activeImage && { rotation: Math.round(item.rotation / 90) * 90, flip: item.horizontalFlip }),
        }));
      expect(seen(arrived)).toEqual(seen(clinic.viewset));
      const [first, second, third] = arrived?.viewSetItems.map(({ display }) => display) ?? [];
      expect(first).toEqual(expressible);
      // All values: the images have no window of their own.
      const voi = { kind: 'window', centre: 2047.5, width: 4095, function: 'LINEAR_EXACT' };
      expect([second, third]).toEqual([
        { ...plainDisplay, voi },
        { ...plainDisplay, voi, rotation: third?.rotation },
      ]);
      // Their graphics stay with the states, which can be chosen.
      expect(arrived?.viewSetItems[0]?.activeImage?.marks).toEqual([]);
      expect(arrived?.arrival).toEqual({ missing: [], notTaken: ['state-parts'] });
    }));

  it('keeps the gap of a missing image and names it', () =>
    usingEmptyInstallation(async (other) => {
      await other.importFiles(named(/PS|IM000001/));
      const [arrived] = await other.mounts();
      const filled = arrived?.viewSetItems.flatMap(({ itemIndex, activeImage }) => (activeImage ? [itemIndex] : []));
      const slots = clinic.viewset.viewSetItems;
      expect(filled).toEqual([slots[0]?.itemIndex]);
      expect(arrived?.arrival?.missing).toEqual(
        [1, 2].map((index) => ({
          itemIndex: slots[index]?.itemIndex,
          sopInstanceUid: slots[index]?.activeImage?.sopInstanceUid,
        })),
      );
    }));

  it('is not made again where it is, nor when its files come twice', () =>
    usingEmptyInstallation(async (other) => {
      await other.importFiles({ 'medium.zip': medium.zip }, 'dicomdir');
      await other.importFiles({ 'medium.zip': medium.zip }, 'dicomdir');
      expect(await other.mounts()).toHaveLength(1);
    }));

  it('is not made again in the installation that it came from', async () => {
    const { bench } = clinic;
    const { decided, imported, parsed } = clinicImport(bench);
    const task = await parsed({ 'medium.zip': medium.zip }, 'dicomdir');
    for (const { key } of task.studies)
      await decided(task.id, key, { patientId: bench.patientId, mismatchConfirmed: true });
    await imported(task.id);
    expect(await bench.db.selectFrom('viewset').select('id').execute()).toHaveLength(1);
    expect(comparable(await bench.get(clinic.viewset.viewSetUuid))).toEqual(comparable(clinic.viewset));
  });

  it('leaves display and marks alone that a user has set before', () =>
    usingEmptyInstallation(async (other) => {
      await other.importFiles(named(/IM/));
      await other.importFiles(named(/PS/));
      const [arrived] = await other.mounts();
      const item = arrived?.viewSetItems[0];
      const send = (target: string, body: object) =>
        other.archive.call(target, {
          method: 'PUT',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        });
      const imageUid = item?.activeImage?.uid;
      const display = { viewsetUid: arrived?.viewSetUuid, imageUid, display: plainDisplay, version: 1 };
      expect((await send('/resource/viewset/image/display', display)).status).toBe(200);
      const removed = { deletedAnnotations: item?.activeImage?.annotations?.map(({ id }) => id) };
      const marks = { imageUid, marks: [], ...removed, calibration: null, version: 1 };
      expect((await send('/resource/image/marks', marks)).status).toBe(200);
      await other.importFiles(named(/PS/));
      const [after] = await other.mounts();
      expect(after?.viewSetItems[0]?.display).toEqual(plainDisplay);
      expect([after?.viewSetItems[0]?.activeImage?.marks, after?.viewSetItems[0]?.activeImage?.annotations]).toEqual([
        [],
        [],
      ]);
    }));

  it('is of one patient only: images of another patient fill no slot', () =>
    usingEmptyInstallation(async (other) => {
      const { archive } = other;
      const stranger = await archive.addPatient({
        customerId: archive.clinics.customerId,
        personalNumber: '19700101-1111',
      });
      await archive.importAll(stranger, named(/IM/));
      // The study belongs to the other patient, so the objects get one of their own.
      const study = '2.25.555';
      const { owner } = await import('../dicom/written-objects.ts');
      const moved = { ...owner, study: { ...owner.study, uid: study } };
      await other.importFiles({ 'mount.dcm': displayFile(undefined, moved) });
      const [arrived] = await other.mounts();
      expect(arrived?.viewSetItems.map(({ activeImage }) => activeImage)).toEqual([null, null]);
      expect(arrived?.arrival?.missing).toHaveLength(1);
    }));
});

describe('a structured display of another program', () => {
  const content = {
    ...plainContent,
    rotation: 270,
    flip: true,
    grey: {
      modality: { kind: 'rescale', slope: 1, intercept: 0 },
      voi: { kind: 'window', centre: 1234.5, width: 987.25, function: 'LINEAR', explanation: null },
      inverted: true,
    },
  } as const;

  it('becomes a mount with its slots, texts, gaps, rotation, flip, window and inversion', () =>
    usingEmptyInstallation(async (other) => {
      const state = stateFileOf(content);
      await other.importFiles({ 'image.dcm': smallObject(), 'state.dcm': state, 'mount.dcm': displayFile() });
      const [arrived] = await other.mounts();
      expect([arrived?.name, arrived?.width, arrived?.height]).toEqual(['Full mouth', 600, 400]);
      expect(
        arrived?.viewSetItems.map(({ xPos, yPos, width, height, teeth }) => [xPos, yPos, width, height, teeth]),
      ).toEqual([
        [150, 0, 150, 200, [18, 17]],
        [300, 0, 300, 200, []],
      ]);
      expect(arrived?.viewSetItems.map(({ display }) => display)).toEqual([expressible, null]);
      expect(arrived?.arrival).toEqual({ missing: [], notTaken: [] });
    }));

  it('names what a display of an image does not have; the state stays to be chosen', () =>
    usingEmptyInstallation(async (other) => {
      const values = Uint16Array.of(0, 900, 4095);
      const lut = { firstInput: 0, values, bits: 12, explanation: null };
      const marks = [
        {
          frame: 1,
          graphics: [
            {
              kind: 'circle' as const,
              points: [
                [2, 2],
                [3, 2],
              ] as [number, number][],
            },
          ],
          texts: [],
        },
      ];
      const state = stateFileOf({ ...content, grey: { ...content.grey, voi: { kind: 'lut', lut } }, marks });
      await other.importFiles({ 'image.dcm': smallObject(), 'state.dcm': state, 'mount.dcm': displayFile() });
      const [arrived] = await other.mounts();
      expect(arrived?.arrival?.notTaken).toEqual(['grey-values', 'state-parts']);
      const image = arrived?.viewSetItems[0]?.activeImage?.uid;
      const { states } = await (await other.archive.call(`/resource/presentation-state/image/${image}`)).json();
      expect(states).toHaveLength(1);
    }));

  it.each([
    ['NUL in a text', { name: 'a\0b' }],
    ['half a character', { comments: '\ud800' }],
    ['a slot without size', { slots: [{ width: 0 }] }],
    ['an index that no table holds', { slots: [{ itemIndex: 2 ** 40 }] }],
    ['something else', [1, 2]],
  ])('is read without its private elements when these have %s', (_, change) =>
    usingEmptyInstallation(async (other) => {
      const slot = { itemIndex: 0, order: 1, xPos: 0, yPos: 0, width: 10, height: 10, rotation: 0 };
      const whole = { ...slot, horizontalFlip: false, teeth: [], description: null };
      const base = {
        kind: 'mount',
        viewSetUuid: crypto.randomUUID(),
        templateUuid: null,
        name: 'Theirs',
        comments: null,
      };
      const slots = [whole, { ...whole, itemIndex: 1 }];
      const changed = 'slots' in change ? { slots: [{ ...whole, ...change.slots[0] }, slots[1]] } : change;
      const own = Array.isArray(change) ? change : { ...base, width: 20, height: 10, slots, ...changed };
      await other.importFiles({ 'mount.dcm': displayFile(undefined, undefined, own) });
      const [arrived] = await other.mounts();
      expect([arrived?.name, arrived?.viewSetItems.length]).toEqual(['Full mouth', 2]);
    }),
  );
});
