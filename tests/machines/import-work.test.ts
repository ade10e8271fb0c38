import { IDBFactory } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { expect, it, vi } from 'vitest';
import { createActor, SimulatedClock } from 'xstate';
import { importLimitsGet } from '../../contract/uploads.ts';
import type { AppActor } from '../../src/machines/app/app.machine.ts';
import { selectIsDone } from '../../src/machines/import-study/import-study.machine.ts';
import { uploadOf, withChanges } from '../../src/machines/import-study/upload.rules.ts';
import { selectImports } from '../../src/machines/imports/imports.machine.ts';
import { createImportFiles } from '../../src/services/import-files.ts';
import { createKeptImports } from '../../src/services/kept-imports.ts';
import { createTabHolds } from '../../src/services/tab-holds.ts';
import { createTurns } from '../../src/services/turns.ts';
import { createUploadWay } from '../../src/services/upload-way.ts';
import { createUploads, type UploadNews } from '../../src/services/uploads.ts';
import { chooseInto, keepTray, wiredImports } from '../../src/wiring/imports.ts';
import { fakeArchive } from '../fake-archive.ts';

const patientId = '0d3c1b1e-93c2-4a79-8a54-6a4f9d4a2c02';
const imports = 6;
const filesOfEach = 300;

it('runs six imports of 300 files with little work for the page', async () => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  const archive = fakeArchive({
    // Every request takes its time, as a line does.
    fate: () => new Promise((resolve) => setTimeout(() => resolve('through'), 10)),
    onNews: (news) => tray.send({ type: 'news.heard', news }),
  });
  const line = { onUp: () => () => {} };
  let told = 0;
  const isImport = (id: string) => selectImports(tray.getSnapshot()).some((one) => one.id === id);
  const counted = (news: UploadNews): UploadNews => ({
    ...news,
    onProgress: (...progress) => {
      told += 1;
      news.onProgress(...progress);
    },
    onTaken: (key) => {
      told += 1;
      news.onTaken(key);
    },
  });
  const way = createUploadWay({
    line,
    limits: () => archive.call(importLimitsGet),
    toArchive: createUploads({ ...archive, line, origin: 'http://archive', turns: createTurns(4) }),
    toObjectStore: () => () => {},
  });
  const kept = createKeptImports();
  const settles = vi.spyOn(kept, 'settle');
  const importFiles = createImportFiles({
    ...{ kept, holds: createTabHolds('', undefined), account: () => 'anna', graceMs: 60_000 },
  });
  let [events, changes] = [0, 0];
  const tray = createActor(
    wiredImports({
      ...{ call: archive.call, importFiles },
      uploadWay: (kind) => (taskId, files, news) => way(kind)(taskId, files, counted(news)),
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
  keepTray(tray, importFiles);
  tray.start();
  const app = { getSnapshot: () => ({ children: { imports: tray } }) } as unknown as AppActor;
  const begun = performance.now();
  chooseInto(app, importFiles)(
    { patientId, customerId: patientId },
    Array.from({ length: imports }, (_, set) => ({
      ...{ kind: 'dicom' as const, name: `set ${set}` },
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
    `${imports * filesOfEach} files: ${told} news of files became ${events} events with ${changes} changes and ` +
      `${settles.mock.calls.length} writes, ${archive.requests.length} requests`,
  );
  expect(told).toBeGreaterThan(imports * filesOfEach);
  // About five news a second for each import, and a handful for its steps; each file is rebuilt only when something of it changed.
  expect(events).toBeLessThan(imports * (5 * seconds + 25));
  expect(changes).toBeLessThanOrEqual(told);
  expect(settles.mock.calls.length).toBeLessThan(imports * (5 * seconds + 2));
  expect(archive.requests.filter(({ paths }) => paths.length > 0)).toHaveLength((imports * filesOfEach) / 20);
  tray.stop();
});

it('counts nothing anew for a change of one file among thousands', () => {
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
