import { IDBFactory } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { expect, it, vi } from 'vitest';
import { createActor, SimulatedClock } from 'xstate';
import { importLimitsGet } from '../../contract/uploads.ts';
import type { AppActor } from '../../src/machines/app/app.machine.ts';
import {
  type ImportStudyActor,
  selectFoundFiles,
  selectIsDone,
  selectIsFailed,
  selectIsInterrupted,
  selectIsPaused,
  selectLacksFiles,
  selectLostFiles,
  selectStudies,
  selectUploadFiles,
  selectWaitsForPerson,
} from '../../src/machines/import-study/import-study.machine.ts';
import { createAddFiles, createImports } from '../../src/machines/imports/choose-files.ts';
import { selectImports } from '../../src/machines/imports/imports.machine.ts';
import { saveTray } from '../../src/machines/imports/save-imports.ts';
import { createImportFiles } from '../../src/services/import-files.ts';
import { createImportStore } from '../../src/services/import-store.ts';
import { createSemaphore } from '../../src/services/semaphore.ts';
import { createTabLocks } from '../../src/services/tab-locks.ts';
import { createUploader } from '../../src/services/uploader.ts';
import { createUploads } from '../../src/services/uploads.ts';
import { wiredImports } from '../../src/wiring/workspace.ts';
import { fakeArchive, type RequestOutcome } from '../fake-archive.ts';

const patientId = '0d3c1b1e-93c2-4a79-8a54-6a4f9d4a2c02';
const customerId = '0d3c1b1e-93c2-4a79-8a54-6a4f9d4a2c03';
const settled = () => new Promise(setImmediate);

/** A browser with its list of imports, wired as in the product, against an archive in memory. */
const workplace = (
  outcomeFor: (taskId: string | null, isUpload: boolean) => RequestOutcome,
  isConnected: () => boolean,
) => {
  const paused: string[] = [];
  const archive = fakeArchive({
    outcomeOf: ({ taskId, paths }) => {
      if (paths.length > 0 && isPaused(taskId)) paused.push(taskId ?? '');
      return outcomeFor(taskId, paths.length > 0);
    },
    onHubEvent: (hubEvent) => {
      if (isConnected()) tray.send({ type: 'hub-event.received', hubEvent });
    },
  });
  const clock = new SimulatedClock();
  const network = { onOnline: () => () => {} };
  const timing = { network, delaysMs: [0, 1] };
  const uploader = createUploader({
    ...timing,
    limits: () => archive.call(importLimitsGet),
    toArchive: createUploads({ ...timing, ...archive, origin: 'http://archive', semaphore: createSemaphore(4) }),
    toObjectStore: () => () => {},
  });
  const open = () => {
    const importFiles = createImportFiles({
      store: createImportStore(),
      locks: createTabLocks('', undefined),
      account: () => 'anna',
      graceMs: 0,
    });
    const actor = createActor(wiredImports({ call: archive.call, uploader, importFiles }), { clock });
    saveTray(actor, importFiles);
    actor.start();
    return { actor, importFiles };
  };
  let { actor: tray, importFiles } = open();
  const imports = () => selectImports(tray.getSnapshot());
  const isPaused = (taskId: string | null) =>
    imports().some(({ actor }) => actor.getSnapshot().context.taskId === taskId && selectIsPaused(actor.getSnapshot()));
  const app = { getSnapshot: () => ({ children: { imports: tray } }) } as unknown as AppActor;
  return {
    archive,
    clock,
    imports,
    /** Tasks that received bytes while they were paused. */
    paused,
    tray: () => tray,
    choose: (intoPatient: boolean, files: readonly { file: File; path: string }[]) =>
      createImports(app, importFiles)({ patientId: intoPatient ? patientId : null, customerId }, [
        { kind: 'dicom', name: 'folder', files, leftOut: [] },
      ]),
    add: (one: ImportStudyActor, files: readonly { file: File; path: string }[]) =>
      createAddFiles(importFiles)(one, files),
    /** The page reloads: what was only in memory is gone. */
    reload: () => {
      tray.stop();
      ({ actor: tray, importFiles } = open());
    },
  };
};

/** Seeded random numbers from 0 to 1 (mulberry32). */
const seeded = (seed: number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** What a user does with an import that waits for a decision. */
const help = (
  one: ImportStudyActor,
  files: readonly { file: File; path: string }[],
  at: ReturnType<typeof workplace>,
) => {
  const snapshot = one.getSnapshot();
  if (selectIsPaused(snapshot)) one.send({ type: 'upload.resumed' });
  if (selectLacksFiles(snapshot)) at.add(one, files);
  if (selectIsInterrupted(snapshot)) at.add(one, files);
  if (selectIsFailed(snapshot)) one.send({ type: 'import.retried' });
  if (selectWaitsForPerson(snapshot)) {
    for (const { key, obstacles } of selectStudies(snapshot))
      if (obstacles.length > 0) one.send({ type: 'study.decided', key, decision: { patientId } });
    one.send({ type: 'import.confirmed' });
  }
};

const sequence = async (seed: number) => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  const random = seeded(seed);
  let trouble = true;
  const at = workplace(
    (_, isUpload) => {
      if (!trouble || random() > 0.25) return 'processed';
      const outcomes: readonly RequestOutcome[] = isUpload
        ? ['request-lost', 'reply-lost', 503]
        : ['request-lost', 'reply-lost'];
      return outcomes[Math.floor(random() * outcomes.length)] ?? 'processed';
    },
    () => !trouble || random() < 0.5,
  );
  const chosen = new Map<string, { file: File; path: string }[]>();
  const cancelled = new Set<string>();
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)];
  const choose = () => {
    const files = Array.from({ length: 1 + Math.floor(random() * 5) }, (_, index) => {
      const kind = pick(['good', 'good', 'good', 'broken', 'refused']);
      const path = `set-${chosen.size}/${kind}-${index}.dcm`;
      return { path, file: new File([new Uint8Array(50 + Math.floor(random() * 1_500))], path) };
    });
    const before = new Set(at.imports().map(({ id }) => id));
    at.choose(random() < 0.5, files);
    for (const { id } of at.imports()) if (!before.has(id)) chosen.set(id, files);
  };
  const filesOf = (id: string) => chosen.get(id) ?? [];
  choose();
  for (let step = 0; step < 40; step += 1) {
    const one = pick(at.imports().filter(({ actor }) => actor.getSnapshot().status === 'active'));
    const send = (event: Parameters<ImportStudyActor['send']>[0]) => one?.actor.send(event);
    const actions: readonly (() => void)[] = [
      () => chosen.size < 3 && choose(),
      () => send({ type: 'upload.paused' }),
      () => send({ type: 'upload.resumed' }),
      () => send({ type: 'import.retried' }),
      () => send({ type: 'import.confirmed' }),
      () => at.archive.work(),
      () => at.archive.work(),
      () => at.clock.increment(10_000),
      () => at.tray().send({ type: 'connection.restored' }),
      () => one && help(one.actor, filesOf(one.id), at),
      () => one && help(one.actor, filesOf(one.id), at),
      () => step % 7 === 3 && at.reload(),
      () => {
        if (!one || random() > 0.15 || !one.actor.getSnapshot().can({ type: 'import.cancelled' })) return;
        one.actor.send({ type: 'import.cancelled' });
        cancelled.add(one.id);
      },
    ];
    pick(actions)?.();
    if (random() < 0.7) await settled();
  }

  // From now on no call fails, and every waiting import gets a decision: each comes to an end.
  trouble = false;
  const isOver = ({ actor }: { actor: ImportStudyActor }) => {
    const snapshot = actor.getSnapshot();
    const refused = selectIsFailed(snapshot) && !snapshot.can({ type: 'import.retried' });
    return snapshot.status !== 'active' || selectIsDone(snapshot) || refused;
  };
  for (let attempt = 0; attempt < 400 && !at.imports().every(isOver); attempt += 1) {
    for (const one of at.imports()) if (!isOver(one)) help(one.actor, filesOf(one.id), at);
    at.archive.work();
    at.clock.increment(10_000);
    await settled();
    if (attempt % 10 === 9) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const story = `seed ${seed}: ${at.imports().map(({ id, actor }) => `${id} ${JSON.stringify(actor.getSnapshot().value)}`)}`;
  expect(at.imports().every(isOver), story).toBe(true);
  // A paused import sends nothing.
  expect(at.paused, story).toEqual([]);
  // No file is in two imports, no task has two actors.
  const keys = at.imports().flatMap(({ actor }) => selectUploadFiles(actor.getSnapshot()).map(({ key }) => key));
  expect(new Set(keys).size, story).toBe(keys.length);
  const taskIds = at.imports().flatMap(({ actor }) => actor.getSnapshot().context.taskId ?? []);
  expect(new Set(taskIds).size, story).toBe(taskIds.length);
  let done = 0;
  for (const { id, actor } of at.imports()) {
    const snapshot = actor.getSnapshot();
    if (!selectIsDone(snapshot)) continue;
    done += 1;
    // Each chosen file is in the archive once, or is listed with its reason.
    const found = selectFoundFiles(snapshot);
    const here = selectUploadFiles(snapshot);
    for (const { path, file } of filesOf(id)) {
      const rows = found.filter((row) => row.path === path && row.sizeBytes === file.size);
      const mine = here.find((one) => one.path === path);
      if (path.includes('refused'))
        expect(mine?.failure ?? null, `${story} ${path} ${JSON.stringify([mine, rows])}`).not.toBeNull();
      else if (path.includes('broken'))
        expect(
          rows.map(({ problem }) => problem),
          `${story} ${path}`,
        ).toEqual(['truncated']);
      else
        expect(
          rows.map(({ status }) => status),
          `${story} ${path}`,
        ).toEqual(['imported']);
    }
    expect(selectLostFiles(snapshot), story).toEqual([]);
  }
  at.tray().stop();
  return { done, cancelled: cancelled.size, imports: at.imports().length };
};

it('ends every import correctly, whatever happens on the way', async () => {
  const count = Number(process.env.IMPORT_SEQUENCES ?? 60);
  const sums = { done: 0, cancelled: 0, imports: 0 };
  for (let seed = 1; seed <= count; seed += 1) {
    const { done, cancelled, imports } = await sequence(seed);
    sums.done += done;
    sums.cancelled += cancelled;
    sums.imports += imports;
  }
  console.log(`${count} sequences: ${JSON.stringify(sums)}`);
  expect(sums.done).toBeGreaterThan(count / 3);
});
