import { createActor, type EventObject, fromCallback, fromPromise } from 'xstate';
import { importAwsDirectoryParse, importAwsParse } from '../contract/aws-uploads.ts';
import { searchHits } from '../contract/bounds.ts';
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
} from '../contract/import-calls.ts';
import type { ImportKind } from '../contract/imports.ts';
import { patientSearchPrivate } from '../contract/patients.ts';
import type { Viewset } from '../contract/viewsets.ts';
import {
  type AppActor,
  appMachine,
  selectImportsTray,
  selectSession,
  selectViewer,
} from './machines/app/app.machine.ts';
import { connectionMachine } from './machines/connection/connection.machine.ts';
import {
  type ImportStudyActor,
  importStudyMachine,
  selectLostFiles,
} from './machines/import-study/import-study.machine.ts';
import type { DecisionOutcome } from './machines/import-study/import-study.rules.ts';
import type { BeginInput, ConfirmInput, DecideInput, ParseInput } from './machines/import-study/import-study.setup.ts';
import { type ChosenFile, type FileChange, foundAgain } from './machines/import-study/upload.rules.ts';
import { importsMachine } from './machines/imports/imports.machine.ts';
import type { KeptImport } from './machines/imports/imports.rules.ts';
import { patientSearchMachine } from './machines/patient-search/patient-search.machine.ts';
import type { Found } from './machines/patient-search/patient-search.rules.ts';
import { selectClinic, selectIsSignedIn, sessionMachine } from './machines/session/session.machine.ts';
import type { Change, Outcome } from './machines/viewer/saving.rules.ts';
import { viewerMachine } from './machines/viewer/viewer.machine.ts';
import { viewsetMachine } from './machines/viewset/viewset.machine.ts';
import type { Change as Hanging } from './machines/viewset/viewset.setup.ts';
import { type Call, createCall, createWithBearer } from './services/call.ts';
import { createChosenFiles } from './services/chosen-files.ts';
import { createDisplays } from './services/displays.ts';
import { failureOf } from './services/failure.ts';
import { createHub, goodBearer } from './services/hub.ts';
import { createLoadBytes, type LoadBytes } from './services/images.ts';
import { createNewsInvalidation } from './services/news-invalidation.ts';
import { createPreferences, type PreferenceStore } from './services/preferences.ts';
import { createQueries, createQueryClient, type Queries } from './services/queries.ts';
import { createSession } from './services/session.ts';
import { watchSignOut } from './services/tabs.ts';
import { createTokens } from './services/tokens.ts';
import { createUploads } from './services/uploads.ts';
import { createViewsets } from './services/viewsets.ts';
import { xhrSend } from './services/xhr-send.ts';
import type { FilesToImport, FileToImport, ImportTarget } from './views/ground.tsx';

const clinicKey = 'dentarium.clinic';

const createServices = (origin: string) => {
  const refusals = new Set<() => void>();
  const tokens = createTokens({ origin, store: localStorage });
  const onTokenRefused = () => {
    for (const tell of [...refusals]) tell();
  };
  const call = createCall({ origin, tokens, onTokenRefused });
  const withBearer = createWithBearer({ tokens, onTokenRefused });
  const queryClient = createQueryClient();
  const queries = createQueries(call, queryClient);
  const news = createNewsInvalidation(queryClient);
  return {
    tokens,
    refusals,
    call,
    queryClient,
    queries,
    news,
    viewsets: createViewsets({ call, client: queryClient, queries, news }),
    displays: createDisplays(call, news),
    session: createSession({ tokens, call, chosenClinicId: () => sessionStorage.getItem(clinicKey) }),
    hub: createHub({ origin, bearer: () => goodBearer(tokens) }),
    uploads: createUploads({ origin, withBearer, sendMultipart: xhrSend }),
    chosenFiles: createChosenFiles(),
    loadBytes: createLoadBytes(origin, withBearer),
    preferences: createPreferences(localStorage),
  };
};
type Services = ReturnType<typeof createServices>;

/** Fills a port with work that can be called off. */
const filled = <Input, Output>(work: (input: Input, signal: AbortSignal) => Promise<Output>) =>
  fromPromise<Output, Input>(({ input, signal }) => work(input, signal));

const wiredSession = ({ session, tokens, refusals, queryClient, chosenFiles, news }: Services) =>
  sessionMachine.provide({
    actors: {
      restoreSession: fromPromise(() => session.restore()),
      signIn: filled(({ email, password }: { email: string; password: string }) => session.signIn(email, password)),
      resolveAccount: fromPromise(() => session.resolve()),
      recheckPermissions: fromPromise(({ signal }) => session.permissions(signal)),
      renewToken: fromPromise(() => session.renew()),
      signOut: fromPromise(async ({ input }: { input: { elsewhere: boolean } }) => {
        news.dispose();
        chosenFiles.clear();
        sessionStorage.removeItem(clinicKey);
        queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'welcome' });
        // The store is the other tab's by now: somebody may have signed in there already.
        if (!input.elsewhere) await session.signOut();
      }),
      watchSession: fromCallback(({ sendBack }) => {
        const tellRefused = () => sendBack({ type: 'token.refused' });
        refusals.add(tellRefused);
        const leave = watchSignOut(tokens.storageKey, () => sendBack({ type: 'session.ended-elsewhere' }));
        return () => {
          refusals.delete(tellRefused);
          leave();
        };
      }),
    },
  });

const wiredConnection = ({ hub, news }: Services) => {
  let openedBefore = false;
  return connectionMachine.provide({
    actors: {
      listenToHub: fromCallback(({ sendBack }) =>
        hub({
          onOpened: () => {
            if (openedBefore) news.missed();
            openedBefore = true;
            sendBack({ type: 'connection.opened' });
          },
          onLost: () => sendBack({ type: 'connection.lost' }),
          onClosed: () => sendBack({ type: 'connection.closed' }),
          onNews: (heard) => {
            news.hear(heard);
            sendBack({ type: 'news.heard', news: heard });
          },
        }),
      ),
    },
  });
};

const parsedBy = (call: Call, { taskId: id, folder, aws }: ParseInput, signal: AbortSignal) => {
  if (aws && folder)
    return call(importAwsDirectoryParse, { body: { id, awsDirectroryKey: aws.awsDirectroryKey }, signal });
  if (aws) return call(importAwsParse, { body: { id, awsFileName: aws.awsFileName }, signal });
  return call(folder ? importDirectoryParse : importParse, { body: { id }, signal });
};

const wiredImportStudy = ({ call, uploads, chosenFiles }: Services) =>
  importStudyMachine.provide({
    actors: {
      beginImport: filled(({ id, customerId, ...facts }: BeginInput, signal) =>
        call(importBegin, { body: { ...facts, customerId, ...(id && { id }) }, signal }),
      ),
      // Its signal is left alone: the row leaves the tray at once, and the archive must hear of it all the same.
      withdrawImport: filled(({ taskId }: { taskId: string }) => call(importCancel, { body: { id: taskId } })),
      parseImport: filled((input: ParseInput, signal) => parsedBy(call, input, signal)),
      decideStudies: filled(
        ({ taskId, decisions }: DecideInput): Promise<readonly DecisionOutcome[]> =>
          Promise.all(
            decisions.map(({ key, decision }) =>
              call(importDecide, { body: { ...decision, id: taskId, key } }).then(
                (study) => ({ study }),
                (error: unknown) => ({ key, failure: failureOf(error) }),
              ),
            ),
          ),
      ),
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
      uploadFiles: fromCallback(
        ({
          input,
          sendBack,
        }: {
          input: { taskId: string; kind: ImportKind; files: readonly ChosenFile[] };
          sendBack: (event: { type: string; [fact: string]: unknown }) => void;
        }) => {
          const tell = (change: FileChange) =>
            sendBack({ type: 'upload.progressed', changes: [change], bytesPerSecond: null });
          return uploads(
            input.taskId,
            input.files.map(({ key, path }) => ({ key, path, file: chosenFiles.get(key) })),
            {
              onProgress: (key, loadedBytes) => tell({ key, loadedBytes }),
              onTaken: (key) => {
                chosenFiles.release([key]);
                tell({ key, status: 'uploaded' });
              },
              onRefused: (key, failure) => {
                chosenFiles.release([key]);
                tell({ key, status: 'refused', failure });
              },
              onLost: (key) => tell({ key, status: 'lost' }),
              onWaiting: (waiting) => sendBack({ type: waiting ? 'upload.waited' : 'upload.continued' }),
              onFinished: (aws) => sendBack({ type: 'upload.finished', aws }),
              onBroken: (failure) => sendBack({ type: 'upload.broken', failure }),
            },
          );
        },
      ),
    },
  });

const wiredPatientSearch = ({ call }: Services) =>
  patientSearchMachine.provide({
    actors: {
      searchPatients: filled(async ({ clinicId, text }: { clinicId: string; text: string }, signal): Promise<Found> => {
        const body = { customerId: clinicId, q: text, page: 1, ppage: searchHits };
        const { data, totalCount } = await call(patientSearchPrivate, { body, signal });
        return { hits: data, totalCount };
      }),
    },
  });

const wiredViewset = ({ viewsets }: Services) => {
  const otherPort = () => Promise.reject(new Error('This operation belongs to another port'));
  return viewsetMachine.provide({
    actors: {
      openViewset: filled(({ viewsetId }: { viewsetId: string }, signal) => viewsets.open(viewsetId, signal)),
      mountImage: filled(({ viewsetId, version, operation }: Hanging, signal): Promise<Viewset> => {
        if (operation.kind !== 'mount') return otherPort();
        const { imageUid, to } = operation;
        return viewsets.mount({ viewsetUid: viewsetId, itemIndex: to, imageUid, version }, signal);
      }),
      unmountImage: filled(({ viewsetId, version, operation }: Hanging, signal): Promise<Viewset> => {
        if (operation.kind !== 'unmount') return otherPort();
        const { imageUid, from } = operation;
        return viewsets.unmount({ viewsetUid: viewsetId, itemIndex: from, imageUid, version }, signal);
      }),
      moveImage: filled(({ viewsetId, version, operation }: Hanging, signal): Promise<readonly Viewset[]> => {
        if (operation.kind !== 'move' && operation.kind !== 'move-out') return otherPort();
        const { imageUid, from: itemIndexFrom, to: itemIndexTo } = operation;
        const viewsetUidTo = operation.kind === 'move' ? viewsetId : operation.viewsetId;
        const slots = { viewsetUidFrom: viewsetId, viewsetUidTo, itemIndexFrom, itemIndexTo };
        return viewsets.move({ ...slots, imageUid, version }, signal);
      }),
      watchViewset: fromCallback<EventObject, { viewsetId: string }>(({ input, sendBack }) =>
        viewsets.watch(input.viewsetId, () => sendBack({ type: 'viewset.outdated' })),
      ),
    },
  });
};

const wiredViewer = ({ displays }: Services) => {
  const save = async (change: Change): Promise<Outcome> => {
    if (change.kind === 'display') {
      const { viewsetId, imageUid, display, version } = change;
      return { change, ...(await displays.saveDisplay({ viewsetUid: viewsetId, imageUid, display, version })) };
    }
    const { imageUid, marks, calibration, version } = change;
    return { change, ...(await displays.saveMarks({ imageUid, marks: [...marks], calibration, version })) };
  };
  return viewerMachine.provide({
    actors: {
      // Its signal is left alone: what a person changed last is sent although the session ends.
      saveChanges: filled((changes: readonly Change[]): Promise<readonly Outcome[]> => Promise.all(changes.map(save))),
    },
  });
};

export interface StartedApp {
  readonly app: AppActor;
  readonly queryClient: Services['queryClient'];
  readonly queries: Queries;
  readonly preferences: PreferenceStore;
  /** The bytes of an image, as the viewer wants them. */
  readonly loadBytes: LoadBytes;
  /** Puts imports into the tray, one for each group; nothing when nobody is signed in. */
  readonly importFiles: (target: ImportTarget, groups: readonly FilesToImport[]) => void;
  /** Gives files to an import whose upload stopped, or that lacks files. Answers how many of them it took. */
  readonly addFiles: (one: ImportStudyActor, files: readonly FileToImport[]) => number;
}

/** The clinic that a super administrator chose survives a reload of the tab. */
const rememberClinic = (app: AppActor): void => {
  selectSession(app.getSnapshot())?.subscribe((snapshot) => {
    if (!selectIsSignedIn(snapshot)) return;
    const clinic = selectClinic(snapshot);
    if (clinic) sessionStorage.setItem(clinicKey, clinic.id);
    else sessionStorage.removeItem(clinicKey);
  });
};

/** A page that goes out of sight may not come back. */
const tellHidden = (app: AppActor): void => {
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') selectViewer(app.getSnapshot())?.send({ type: 'page.hidden' });
  });
};

/** Builds the services, fills every port with them and starts the root actor. Once, outside React. */
export const startApp = (origin: string = location.origin): StartedApp => {
  const services = createServices(origin);
  const app = createActor(
    appMachine.provide({
      actors: {
        session: wiredSession(services),
        connection: wiredConnection(services),
        imports: importsMachine.provide({
          actors: {
            importStudy: wiredImportStudy(services),
            restoreTray: fromPromise<readonly KeptImport[], void>(async () => []),
          },
        }),
        patientSearch: wiredPatientSearch(services),
        viewset: wiredViewset(services),
        viewer: wiredViewer(services),
      },
    }),
  );
  app.start();
  rememberClinic(app);
  tellHidden(app);
  const { queryClient, queries, preferences, loadBytes, chosenFiles } = services;
  return {
    app,
    queryClient,
    queries,
    preferences,
    loadBytes,
    importFiles: (target, groups) => {
      const tray = selectImportsTray(app.getSnapshot());
      if (!tray) return;
      const chosen = groups.map(({ kind, name, files }) => ({
        ...{ id: crypto.randomUUID(), kind, name },
        files: chosenFiles.add(files),
      }));
      tray.send({ type: 'imports.chosen', ...target, groups: chosen });
    },
    addFiles: (one, files) => {
      const lost = selectLostFiles(one.getSnapshot());
      if (lost.length === 0) {
        one.send({ type: 'files.added', files: chosenFiles.add(files) });
        return files.length;
      }
      const again = foundAgain(
        lost,
        files.map(({ file, path }) => ({ path, sizeBytes: file.size })),
      );
      const keys = new Map(again.map(({ key, index }) => [key, files[index]?.file]));
      for (const [key, file] of keys) if (file) chosenFiles.put(key, file);
      one.send({ type: 'files.added', files: lost.filter(({ key }) => keys.has(key)) });
      return again.length;
    },
  };
};
