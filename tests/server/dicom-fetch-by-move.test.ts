import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { transferSyntaxes } from '../../dicom/transfer-syntax.ts';
import { statuses } from '../../server/dimse/message/message.ts';
import { respond, type Service } from '../../server/dimse/provider/services.ts';
import type { FetchedObject } from '../../server/dimse/provider/sub-operations.ts';
import { openAssociation } from '../../server/dimse/user/open-association.ts';
import { freePort } from '../free-port.ts';
import { archiveWithoutGet, otherTitle } from './archive-without-get.ts';
import { storeFile, xRay } from './commitment-under-test.ts';
import { gatewayTitle } from './gateway-under-test.ts';
import { type MovingScene, type MovingUnderTest, movingUnderTest, withDataSet } from './moving-under-test.ts';

let moving: MovingUnderTest;
let scene: MovingScene;

beforeAll(async () => {
  moving = await movingUnderTest();
});
beforeEach(async () => {
  scene = await moving.scene();
});
afterAll(() => moving?.close());

const openAs = (aeTitle: string) => {
  const node = { host: '127.0.0.1', port: moving.gateway.port, aeTitle: gatewayTitle };
  const context = { id: 1, abstractSyntax: xRay, transferSyntaxes: [transferSyntaxes.explicitLittleEndian] };
  return openAssociation(node, aeTitle, [context]);
};

describe('fetching from an archive without C-GET', () => {
  it('has the images sent to the gateway, into the import of the fetch', async () => {
    const { fetching, gateway, other } = moving;
    const { patientId, uidOf } = scene;
    const deviceId = await fetching.addDevice({ port: (await archiveWithoutGet(other)).port });
    const found = await fetching.search({ deviceId, patientId, by: 'number' });
    const fetch = () => fetching.fetch({ deviceId, patientId }, found.body.studies);
    const done = await fetching.reaches(await fetch(), 'done');
    expect(done).toMatchObject({ failure: null, refusals: [], studies: [{ state: 'imported', fetched: 3 }] });
    expect(await scene.imported()).toEqual([1, 2, 3].map(uidOf));
    expect(await scene.received()).toEqual([]);
    expect((await fetching.reaches(await fetch(), 'done')).studies).toMatchObject([{ state: 'known', fetched: 0 }]);
    expect([fetching.failures, gateway.failures]).toEqual([[], []]);
    const logged = other.db.selectFrom('access_log').select('detail').where('action', '=', 'image.retrieved');
    expect(new Set((await logged.execute()).map(({ detail }) => detail))).toEqual(new Set([gatewayTitle]));
  });

  it.each([statuses.sopClassNotSupported, statuses.unrecognizedOperation])(
    'also when C-GET is answered with status %i',
    async (status) => {
      const get = (): Service => (association, message) => respond(association, message, status);
      const { port } = await archiveWithoutGet(moving.other, { get });
      const done = await moving.fetching.reaches(await scene.begin(port), 'done');
      expect(done).toMatchObject({ failure: null, refusals: [], studies: [{ state: 'imported', fetched: 3 }] });
    },
  );

  it('also when the device aborts the association at C-GET for the second time', async () => {
    let gets = 0;
    const get = (): Service => async (association) => {
      gets += 1;
      association.abort();
    };
    const { port } = await archiveWithoutGet(moving.other, { get });
    const done = await moving.fetching.reaches(await scene.begin(port), 'done');
    expect(done).toMatchObject({ failure: null, refusals: [], studies: [{ state: 'imported', fetched: 3 }] });
    expect(gets).toBe(2);
  });

  it('fails with the reason when the device offers no C-MOVE either', async () => {
    const { port } = await archiveWithoutGet(moving.other, { hasMove: false });
    const failed = await moving.fetching.reaches(await scene.begin(port), 'failed');
    expect(failed).toMatchObject({ failure: 'not-supported' });
  });

  it('fails with the reason when the device does not know the gateway as a destination', async () => {
    await moving.listArchive(null);
    const { port } = await archiveWithoutGet(moving.other);
    const failed = await moving.fetching.reaches(await scene.begin(port), 'failed');
    expect(failed).toMatchObject({ failure: 'destination-unknown', studies: [{ state: 'failed', fetched: 0 }] });
    expect(await scene.imported()).toEqual([]);
  });

  it('fails with the reason, after further attempts, when the device cannot reach the gateway', async () => {
    await moving.listArchive(await freePort());
    let attempts = 0;
    const { port } = await archiveWithoutGet(moving.other, {
      move: (service) => (association, message) => {
        attempts += 1;
        return service(association, message);
      },
    });
    const failed = await moving.fetching.reaches(await scene.begin(port), 'failed');
    expect(failed).toMatchObject({ failure: 'not-delivered' });
    expect(attempts).toBe(3);
  });

  it('names an image that the device cannot send, and imports the others', async () => {
    const { uidOf } = scene;
    const open = () => Promise.reject(new Error('the file is damaged'));
    const { port } = await moving.sending((object) => [
      object.sopInstanceUid === uidOf(2) ? { ...object, open } : object,
    ]);
    const done = await moving.fetching.reaches(await scene.begin(port), 'done');
    expect(done).toMatchObject({ refusals: [{ reason: 'not-sent', images: 1 }], studies: [{ state: 'imported' }] });
    expect(await scene.imported()).toEqual([uidOf(1), uidOf(3)]);
  });

  it('names an image that is too large, and imports the others', async () => {
    const { uidOf, image } = scene;
    // The gateway of these tests takes 10 MB.
    const large = image(2, { Rows: 2_400, Columns: 2_400, PixelData: new Uint16Array(2_400 * 2_400) });
    const { port } = await moving.sending((object) => [
      object.sopInstanceUid === uidOf(2) ? withDataSet(object, large) : object,
    ]);
    const done = await moving.fetching.reaches(await scene.begin(port), 'done');
    expect(done).toMatchObject({ refusals: [{ reason: 'too-large', images: 1 }], studies: [{ state: 'imported' }] });
    expect(await scene.imported()).toEqual([uidOf(1), uidOf(3)]);
  });
});

describe('an object that no fetch has asked for', () => {
  /** Sends the first under the UID of an image that was asked for, in another study, and one more of the study. */
  const strange = (object: FetchedObject): readonly FetchedObject[] => {
    const { uidOf, image } = scene;
    if (object.sopInstanceUid === uidOf(1))
      return [withDataSet(object, image(1, { StudyInstanceUID: `${scene.studyUid}.9` }))];
    if (object.sopInstanceUid !== uidOf(2)) return [object];
    return [object, withDataSet({ ...object, sopInstanceUid: uidOf(7) }, image(7))];
  };

  it('is refused from a device that may not send', async () => {
    const { port } = await moving.sending(strange);
    const done = await moving.fetching.reaches(await scene.begin(port), 'done');
    expect(done).toMatchObject({ refusals: [{ reason: 'not-sent', images: 1 }], studies: [{ fetched: 2 }] });
    expect(await scene.imported()).toEqual([2, 3].map(scene.uidOf));
    expect(await scene.received()).toEqual([]);
  });

  it('waits for a user under Import from a device that may send', async () => {
    const { port } = await moving.sending(strange);
    const done = await moving.fetching.reaches(await scene.begin(port, { canStore: true }), 'done');
    expect(done.studies).toMatchObject([{ state: 'imported', fetched: 2 }]);
    expect(await scene.imported()).toEqual([2, 3].map(scene.uidOf));
    expect((await scene.received()).map(({ study }) => study)).toEqual([scene.studyUid, `${scene.studyUid}.9`]);
  });

  it('goes the ordinary way when it comes from another device, also of another clinic', async () => {
    const { archive, fetching, gateway } = moving;
    let opened = 0;
    const others = Promise.withResolvers<void>();
    const { port } = await moving.sending((object) => [
      {
        ...object,
        open: async (syntax) => {
          opened += 1;
          await others.promise;
          return object.open(syntax);
        },
      },
    ]);
    const { customerId, otherCustomerId } = archive.clinics;
    await gateway.addDevice({ customerId: otherCustomerId, aeTitle: 'ELSEWHERE', canStore: true });
    await gateway.addDevice({ customerId, aeTitle: 'UNIT', canStore: true });
    await gateway.addDevice({ customerId, aeTitle: 'READER', canStore: false });
    const id = await scene.begin(port);
    await expect.poll(() => opened, { timeout: 10_000 }).toBe(1);
    for (const title of ['ELSEWHERE', 'UNIT']) {
      const association = await openAs(title);
      expect(await storeFile(association, scene.image(1))).toBe(0);
      await association.release();
    }
    const reader = await openAs('READER');
    expect([...reader.contexts]).toEqual([]);
    await reader.release();
    expect(await fetching.byId(id)).toMatchObject({ studies: [{ fetched: 0 }] });
    const clinics = (await scene.received()).map(({ clinic }) => clinic);
    expect(clinics).toEqual([customerId, otherCustomerId].toSorted());
    others.resolve();
    expect((await fetching.reaches(id, 'done')).studies).toMatchObject([{ state: 'imported', fetched: 3 }]);
  });

  it('is not taken when the fetch has ended', async () => {
    const { port } = await archiveWithoutGet(moving.other);
    await moving.fetching.reaches(await scene.begin(port), 'done');
    const association = await openAs(otherTitle);
    expect([...association.contexts]).toEqual([]);
    await association.release();
  });
});
