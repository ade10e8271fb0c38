import { type EventObject, fromCallback, fromPromise, type Subscription } from 'xstate';
import { importAwsDirectoryParse, importAwsParse } from '../../contract/aws-uploads.ts';
import {
  importBegin,
  importCancel,
  importConfirm,
  importDecide,
  importDirectoryConfirm,
  importDirectoryParse,
  importGet,
  importParse,
  importRetry,
} from '../../contract/import-calls.ts';
import { type AppActor, selectImportsTray } from '../machines/app/app.machine.ts';
import type {
  BeginInput,
  ConfirmInput,
  DecideInput,
  ImportStudyEvent,
  ParseInput,
  UploadInput,
} from '../machines/import-study/import-study.events.ts';
import {
  type ImportStudyActor,
  importStudyMachine,
  selectLostFiles,
} from '../machines/import-study/import-study.machine.ts';
import type { DecisionOutcome } from '../machines/import-study/import-study.rules.ts';
import { foundAgain } from '../machines/import-study/upload.rules.ts';
import { type ImportsActor, importsMachine, selectImports } from '../machines/imports/imports.machine.ts';
import type { TrayImport } from '../machines/imports/imports.rules.ts';
import type { Call } from '../services/call.ts';
import { failureOf } from '../services/failure.ts';
import { gatherNews } from '../services/gathered-news.ts';
import type { ImportFiles } from '../services/import-files.ts';
import type { FilesToImport, FileToImport, ImportTarget } from '../views/ground.tsx';
import { filled } from './filled.ts';
import type { RoomServices } from './room-services.ts';

type ImportServices = Pick<RoomServices, 'call' | 'uploadWay' | 'importFiles'>;

const parsed = (call: Call, { taskId: id, folder, aws }: ParseInput, signal: AbortSignal) => {
  if (!aws) return call(folder ? importDirectoryParse : importParse, { body: { id }, signal });
  const { awsFileName, awsDirectroryKey } = aws;
  return folder
    ? call(importAwsDirectoryParse, { body: { id, awsDirectroryKey }, signal })
    : call(importAwsParse, { body: { id, awsFileName }, signal });
};

const decided = (call: Call, { taskId, decisions }: DecideInput): Promise<readonly DecisionOutcome[]> =>
  Promise.all(
    decisions.map(({ key, decision }) =>
      call(importDecide, { body: { ...decision, id: taskId, key } }).then(
        (study) => ({ study }),
        (error: unknown) => ({ key, failure: failureOf(error) }),
      ),
    ),
  );

/** Sends what waits; what the files become is told to the machine a few times a second, and kept. */
const sendFiles = (
  { uploadWay, importFiles }: Omit<ImportServices, 'call'>,
  { id, taskId, kind, files }: UploadInput,
  tell: (event: ImportStudyEvent) => void,
): (() => void) => {
  const { news, stop } = gatherNews(
    {
      onChanges: (changes, bytesPerSecond) => {
        const settled = changes.flatMap(({ key, status, failure = null }) =>
          status ? [{ key, status, failure }] : [],
        );
        if (settled.length > 0) importFiles.settle(id, settled);
        tell({ type: 'upload.progressed', changes, bytesPerSecond });
      },
      onWaiting: (waiting) => tell({ type: waiting ? 'upload.waited' : 'upload.continued' }),
      onFinished: (aws) => tell({ type: 'upload.finished', aws }),
      onBroken: (failure) => tell({ type: 'upload.broken', failure }),
    },
    { sizes: new Map(files.map(({ key, sizeBytes }) => [key, sizeBytes])) },
  );
  let hasLeft = false;
  let stopSending = () => {};
  const keys = files.map(({ key }) => key);
  void importFiles.filesOf(id, keys).then((found) => {
    if (hasLeft) return;
    const toSend = files.map(({ key, path }) => ({ key, path, file: found.get(key) ?? null }));
    stopSending = uploadWay(kind)(taskId, toSend, news);
  });
  return () => {
    hasLeft = true;
    stopSending();
    stop();
  };
};

const wiredImportStudy = ({ call, ...services }: ImportServices) =>
  importStudyMachine.provide({
    actors: {
      beginImport: filled(({ id, ...facts }: BeginInput, signal) =>
        call(importBegin, { body: { ...facts, ...(id && { id }) }, signal }),
      ),
      // The row leaves the tray at once, and the archive must hear of it all the same: its signal is left alone, and the page may go.
      withdrawImport: filled(({ taskId }: { taskId: string }) =>
        call(importCancel, { body: { id: taskId }, keepalive: true }),
      ),
      parseImport: filled((input: ParseInput, signal) => parsed(call, input, signal)),
      // Its signal is left alone: what a person decided is decided, though they look elsewhere.
      decideStudies: filled((input: DecideInput) => decided(call, input)),
      confirmImport: filled(({ taskId, kind }: ConfirmInput, signal) =>
        call(kind === 'dicomdir' ? importDirectoryConfirm : importConfirm, {
          body: { id: taskId, mismatchConfirmed: false },
          signal,
        }),
      ),
      retryImport: filled(({ taskId }: { taskId: string }, signal) =>
        call(importRetry, { body: { id: taskId }, signal }),
      ),
      fetchImport: filled(({ taskId }: { taskId: string }, signal) =>
        call(importGet, { params: { id: taskId }, signal }),
      ),
      uploadFiles: fromCallback<EventObject, UploadInput>(({ input, sendBack }) =>
        sendFiles(services, input, sendBack),
      ),
    },
  });

export const wiredImports = (services: ImportServices) =>
  importsMachine.provide({
    actors: {
      importStudy: wiredImportStudy(services),
      restoreTray: fromPromise(() => services.importFiles.restore()),
    },
  });

/** Keeps of an import what a reload needs, and nothing once it is over. */
const keepOne = ({ id, actor }: TrayImport, importFiles: ImportFiles): Subscription => {
  let known = actor.getSnapshot();
  return actor.subscribe((snapshot) => {
    const { taskId, paused } = snapshot.context;
    if (taskId !== known.context.taskId || paused !== known.context.paused) importFiles.change(id, { taskId, paused });
    known = snapshot;
    if (snapshot.status === 'done') importFiles.forget(id);
  });
};

export const keepTray = (tray: ImportsActor, importFiles: ImportFiles): void => {
  const watched = new Map<string, Subscription>();
  const look = () => {
    const imports = selectImports(tray.getSnapshot());
    for (const one of imports) if (!watched.has(one.id)) watched.set(one.id, keepOne(one, importFiles));
    const ids = new Set(imports.map(({ id }) => id));
    for (const [id, subscription] of watched) {
      if (ids.has(id)) continue;
      subscription.unsubscribe();
      watched.delete(id);
      importFiles.forget(id);
    }
  };
  tray.subscribe({ next: look, complete: () => importFiles.leave() });
  look();
};

/** Keeps the tray of whoever is signed in, and warns before the tab is closed over bytes that nobody else has. */
export const keepImports = (app: AppActor, importFiles: ImportFiles): void => {
  let kept: ImportsActor | undefined;
  const look = () => {
    const tray = selectImportsTray(app.getSnapshot());
    if (tray === kept) return;
    kept = tray;
    if (tray) keepTray(tray, importFiles);
  };
  app.subscribe(look);
  look();
  window.addEventListener('beforeunload', (event) => {
    if (importFiles.wouldLose()) event.preventDefault();
  });
};

export const chooseInto =
  (app: AppActor, importFiles: ImportFiles) =>
  (target: ImportTarget, groups: readonly FilesToImport[]): void => {
    const tray = selectImportsTray(app.getSnapshot());
    if (!tray) return;
    const chosen = groups.map(({ kind, name, files }) => ({
      ...{ id: crypto.randomUUID(), kind, name },
      files: importFiles.choose(files),
    }));
    tray.send({ type: 'imports.chosen', ...target, groups: chosen });
    const taken = new Set(selectImports(tray.getSnapshot()).map(({ id }) => id));
    for (const { files, ...facts } of chosen)
      if (taken.has(facts.id)) importFiles.begin({ ...facts, ...target, taskId: null, paused: false }, files);
  };

export const addTo =
  (importFiles: ImportFiles) =>
  (one: ImportStudyActor, files: readonly FileToImport[]): number => {
    const snapshot = one.getSnapshot();
    const lost = selectLostFiles(snapshot);
    if (lost.length === 0) {
      const { id, patientId, customerId, kind, name, taskId } = snapshot.context;
      const added = importFiles.choose(files);
      if (!snapshot.can({ type: 'files.added', files: added })) return 0;
      importFiles.begin({ id, patientId, customerId, kind, name, taskId, paused: false }, added);
      one.send({ type: 'files.added', files: added });
      return added.length;
    }
    const again = new Map<string, File>();
    const chosen = files.map(({ file, path }) => ({ path, sizeBytes: file.size }));
    for (const { key, index } of foundAgain(lost, chosen)) {
      const file = files[index]?.file;
      if (file) again.set(key, file);
    }
    importFiles.bringBack(snapshot.context.id, again);
    one.send({ type: 'files.added', files: lost.filter(({ key }) => again.has(key)) });
    return again.size;
  };
