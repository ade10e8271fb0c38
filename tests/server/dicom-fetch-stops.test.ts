import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { encodeIdentifier } from '../../server/dicom-gateway/encode-identifier.ts';
import { statuses } from '../../server/dimse/message/message.ts';
import { findService } from '../../server/dimse/provider/find-service.ts';
import { type FileStore, StorageError } from '../../server/storage/file-store.ts';
import { archiveWithoutGet, noting, otherTitle } from './archive-without-get.ts';
import { explicitLittleEndian } from './dimse/peers.ts';
import { fetchingUnderTest } from './fetching-under-test.ts';
import { gatewayUnderTest } from './gateway-under-test.ts';
import { type MovingScene, type MovingUnderTest, movingUnderTest } from './moving-under-test.ts';

let moving: MovingUnderTest;
let scene: MovingScene;

beforeAll(async () => {
  moving = await movingUnderTest();
});
beforeEach(async () => {
  scene = await moving.scene();
});
afterAll(() => moving?.close());

describe('a fetch by C-MOVE that its user stops', () => {
  it('is cancelled at the device (C-CANCEL), which stops sending, and nothing is imported', async () => {
    const { archive, fetching, other } = moving;
    const answers: (number | undefined)[] = [];
    const opened: string[] = [];
    const cancelled = Promise.withResolvers<void>();
    const { port } = await archiveWithoutGet(other, {
      move: (service) =>
        noting(answers, async (association, message) => {
          const isCancelled = setInterval(() => association.hasInput() && cancelled.resolve(), 20);
          await service(association, message).finally(() => clearInterval(isCancelled));
        }),
      retrieval: (retrieval) => ({
        ...retrieval,
        objectsOf: async (...identifier) =>
          (await retrieval.objectsOf(...identifier)).map((object) => ({
            ...object,
            open: async (syntax) => {
              opened.push(object.sopInstanceUid);
              if (opened.length === 2) await cancelled.promise;
              return object.open(syntax);
            },
          })),
      }),
    });
    const id = await scene.begin(port);
    await expect.poll(() => opened.length, { timeout: 10_000 }).toBe(2);
    expect((await fetching.byId(id)).studies).toMatchObject([{ fetched: 1 }]);
    expect((await fetching.cancel(id)).status).toBe(200);
    await expect.poll(() => answers.at(-1), { timeout: 10_000 }).toBe(statuses.cancelled);
    expect(opened).toEqual([1, 2].map(scene.uidOf));
    expect(await fetching.byId(id)).toMatchObject({ state: 'cancelled' });
    expect(await scene.imported()).toEqual([]);
    expect(await scene.received()).toEqual([]);
    const rows = archive.db.selectFrom('dicom_fetch_image').select('outcome').where('outcome', '=', 'fetched');
    expect(await rows.execute()).toHaveLength(1);
    expect(fetching.failures).toEqual([]);
  });
});

describe('a search with more matches than are shown', () => {
  it('is cancelled at the device (C-CANCEL), which stops answering', async () => {
    const { fetching, other } = moving;
    const answers: (number | undefined)[] = [];
    let sent = 0;
    const identifiers = async function* (explicitVr: boolean) {
      for (sent = 1; sent <= 5_000; sent += 1) {
        yield encodeIdentifier({ '0020000D': { vr: 'UI', Value: [`2.25.${sent}`] } }, explicitVr);
        await new Promise((resolve) => setTimeout(resolve, sent > 100 ? 10 : 0));
      }
    };
    const find = findService(
      async (_, syntax) => ({ ignoresKeys: false, identifiers: identifiers(syntax === explicitLittleEndian) }),
      (error) => console.error(error),
    );
    const { port } = await archiveWithoutGet(other, { find: noting(answers, find) });
    const deviceId = await fetching.addDevice({ port });
    const { body } = await fetching.search({ deviceId, patientId: scene.patientId, by: 'number' });
    expect(body).toMatchObject({ failure: null, isComplete: false });
    expect(body.studies).toHaveLength(100);
    expect(answers.at(-1)).toBe(statuses.cancelled);
    expect(sent).toBeLessThan(5_000);
  });
});

describe('a fetch on a full disk', () => {
  /** A store of files without space from the second file on, until `hasSpace`. */
  const fullStore = () => {
    const { files } = moving.archive.archive;
    const state = { hasSpace: false, batches: 0 };
    const batch: FileStore['batch'] = () => {
      const made = files.batch();
      state.batches += 1;
      if (state.batches === 1) return made;
      return {
        ...made,
        add: (source, maxBytes) =>
          state.hasSpace ? made.add(source, maxBytes) : Promise.reject(new StorageError('full', 'no space')),
      };
    };
    return { state, files: { ...files, batch } };
  };
  const rowsOf = (table: 'import_file' | 'image') => moving.archive.db.selectFrom(table).selectAll().execute();

  it.each(['C-GET', 'C-MOVE'])(
    'by %s waits with the reason, imports nothing in part, and goes on with space',
    async (way) => {
      const { archive, fetching, other } = moving;
      const { state, files } = fullStore();
      const byMove = way === 'C-MOVE';
      const gateway = await gatewayUnderTest(archive, byMove ? { files } : {});
      await moving.listArchive(gateway.port);
      await fetching.stop();
      const retried = fetchingUnderTest(archive, { ...(byMove ? {} : { files }), retrySeconds: [0.1, 0.5, 2, 600] });
      const source = byMove ? await archiveWithoutGet(other) : await gatewayUnderTest(other, { aeTitle: otherTitle });
      const [before, images] = [(await rowsOf('import_file')).length, (await rowsOf('image')).length];
      const id = await scene.begin(source.port);
      const failure = async () => (await fetching.byId(id)).failure;
      await expect.poll(failure, { timeout: 10_000 }).toBe('full');
      const tries = async () => (await archive.db.selectFrom('dicom_fetch').select('tries').executeTakeFirst())?.tries;
      await expect.poll(tries, { timeout: 10_000 }).toBe(3);
      expect(await rowsOf('import_file')).toHaveLength(before + 1);
      expect(await rowsOf('image')).toHaveLength(images);
      state.hasSpace = true;
      const done = await fetching.reaches(id, 'done');
      expect(done).toMatchObject({ failure: null, refusals: [], studies: [{ state: 'imported', fetched: 3 }] });
      expect(await scene.imported()).toEqual([1, 2, 3].map(scene.uidOf));
      await retried.close();
      await gateway.close();
      fetching.restart();
    },
  );
});
