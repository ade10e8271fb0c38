import { IDBFactory } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { expect, it, vi } from 'vitest';
import { createActor, SimulatedClock } from 'xstate';
import { importLimitsGet } from '../../contract/uploads.ts';
import type { AppActor } from '../../src/machines/app/app.machine.ts';
import { selectIsDone } from '../../src/machines/import-study/import-study.machine.ts';
import { uploadOf, withChanges } from '../../src/machines/import-study/upload.rules.ts';
import { createImports } from '../../src/machines/imports/choose-files.ts';
import { selectImports } from '../../src/machines/imports/imports.machine.ts';
import { saveTray } from '../../src/machines/imports/save-imports.ts';
import { createImportFiles } from '../../src/services/import-files.ts';
import { createImportStore } from '../../src/services/import-store.ts';
import { createSemaphore } from '../../src/services/semaphore.ts';
import { createTabLocks } from '../../src/services/tab-locks.ts';
import { createUploader } from '../../src/services/uploader.ts';
import { createUploads, type UploadListener } from '../../src/services/uploads.ts';
import { wiredImports } from '../../src/wiring/workspace.ts';
import { fakeArchive } from '../fake-archive.ts';

const patientId = '0d3c1b1e-93c2-4a79-8a54-6a4f9d4a2c02';
const imports = 6;
const filesOfEach = 300;

it('runs six imports of 300 files with little work for the page', async () => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  const archive = fakeArchive({
    // Every request takes time, as on a network.
    outcomeOf: () => new Promise((resolve) => setTimeout(() => resolve('processed'), 10)),
    onHubEvent: (hubEvent) => tray.send({ type: 'hub-event.received', hubEvent }),
  });
  const network = { onOnline: () => () => {} };
  let emitted = 0;
  const isImport = (id: string) => selectImports(tray.getSnapshot()).some((one) => one.id === id);
  const counted = (listener: UploadListener): UploadListener => ({
    ...listener,
    onProgress: (...progress) => {
      emitted += 1;
      listener.onProgress(...progress);
    },
    onUploaded: (key) => {
      emitted += 1;
      listener.onUploaded(key);
    },
  });
  const way = createUploader({
    network,
    limits: () => archive.call(importLimitsGet),
    toArchive: createUploads({ ...archive, network, origin: 'http://archive', semaphore: createSemaphore(4) }),
    toObjectStore: () => () => {},
  });
  const storage = createImportStore();
  const settles = vi.spyOn(storage, 'updateFiles');
  const importFiles = createImportFiles({
    store: storage,
    locks: createTabLocks('', undefined),
    account: () => 'anna',
    graceMs: 60_000,
  });
  let [events, changes] = [0, 0];
  const tray = createActor(
    wiredImports({
      call: archive.call,
      importFiles,
      uploader: (kind) => (taskId, files, listener) => way(kind)(taskId, files, counted(listener)),
    }),
    {
      clock: new SimulatedClock(),
      inspect: (inspected) => {
        const { actorRef } = inspected;
        if (inspected.type !== '@xstate.event' || !('id' in actorRef) || !isImport(String(actorRef.id))) return;
        events += 1;
        if (inspected.event.type === 'upload.progressed') changes += inspected.event.changes.length;
      },
    },
  );
  saveTray(tray, importFiles);
  tray.start();
  const app = { getSnapshot: () => ({ children: { imports: tray } }) } as unknown as AppActor;
  const begun = performance.now();
  createImports(app, importFiles)(
    { patientId, customerId: patientId },
    Array.from({ length: imports }, (_, set) => ({
      kind: 'dicom' as const,
      leftOut: [],
      name: `set ${set}`,
      files: Array.from({ length: filesOfEach }, (__, index) => ({
        path: `set-${set}/${index}.dcm`,
        file: new File(['image'], `${index}.dcm`),
      })),
    })),
  );
  const isDone = () => selectImports(tray.getSnapshot()).every(({ actor }) => selectIsDone(actor.getSnapshot()));
  await vi.waitFor(
    () => {
      archive.work();
      expect(isDone()).toBe(true);
    },
    { timeout: 25_000, interval: 20 },
  );
  const seconds = (performance.now() - begun) / 1_000;
  console.log(
    `${imports * filesOfEach} files: ${emitted} file notifications became ${events} events with ${changes} changes and ` +
      `${settles.mock.calls.length} writes, ${archive.requests.length} requests`,
  );
  expect(emitted).toBeGreaterThan(imports * filesOfEach);
  // About five events a second for each import, and a few for its steps; a file is rebuilt only when it changed.
  expect(events).toBeLessThan(imports * (5 * seconds + 25));
  expect(changes).toBeLessThanOrEqual(emitted);
  expect(settles.mock.calls.length).toBeLessThan(imports * (5 * seconds + 2));
  expect(archive.requests.filter(({ paths }) => paths.length > 0)).toHaveLength((imports * filesOfEach) / 20);
  tray.stop();
});

it('recalculates nothing for the other files when one of thousands changes', () => {
  let reads = 0;
  const size = {
    enumerable: true,
    get: () => {
      reads += 1;
      return 10;
    },
  };
  const facts = { failure: null, status: 'waiting' as const, sizeBytes: 10 };
  const whole = uploadOf(
    Array.from({ length: 10_000 }, (_, index) => ({
      ...facts,
      key: `file-${index}`,
      path: `${index}`,
      name: `${index}`,
    })),
  );
  const watched = whole.files.map((file) => Object.defineProperty({ ...file }, 'sizeBytes', size));
  const next = withChanges({ ...whole, files: watched }, [
    { key: 'file-7', loadedBytes: 5 },
    { key: 'file-9000', status: 'uploaded' },
  ]);
  expect(reads).toBeLessThan(20);
  expect(next.loadedBytes).toBe(15);
  expect(next.counts).toEqual({ waiting: 9_999, uploaded: 1, refused: 0, lost: 0 });
  const rebuilt = next.files.filter((file, index) => file !== watched[index]);
  expect(rebuilt.map(({ key }) => key)).toEqual(['file-7', 'file-9000']);
});
