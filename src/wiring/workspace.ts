import { type EventObject, fromCallback, fromPromise } from 'xstate';
import { searchHits } from '../../contract/bounds.ts';
import { isMeasurement } from '../../contract/displays.ts';
import { patientSearchPrivate } from '../../contract/patients.ts';
import { importLimitsGet } from '../../contract/uploads.ts';
import type { Viewset } from '../../contract/viewsets.ts';
import type { AppActor } from '../machines/app/app.machine.ts';
import { forgetSaved, saveUnsavedChanges } from '../machines/app/unsaved-changes.ts';
import { connectionMachine } from '../machines/connection/connection.machine.ts';
import type {
  BeginInput,
  ConfirmInput,
  DecideInput,
  ParseInput,
  UploadInput,
} from '../machines/import-study/import-study.events.ts';
import { importStudyMachine } from '../machines/import-study/import-study.machine.ts';
import { createAddFiles, createImports } from '../machines/imports/choose-files.ts';
import { importsMachine } from '../machines/imports/imports.machine.ts';
import { saveImports } from '../machines/imports/save-imports.ts';
import { patientSearchMachine } from '../machines/patient-search/patient-search.machine.ts';
import type { Found } from '../machines/patient-search/patient-search.rules.ts';
import { fillPort } from '../machines/port.ts';
import type { Change, Outcome } from '../machines/viewer/saving.rules.ts';
import { viewerMachine } from '../machines/viewer/viewer.machine.ts';
import { viewsetMachine } from '../machines/viewset/viewset.machine.ts';
import type { Change as MountChange } from '../machines/viewset/viewset.setup.ts';
import type { Call } from '../services/call.ts';
import { createDisplays } from '../services/displays.ts';
import { createHub, validBearer } from '../services/hub.ts';
import { createImportCalls } from '../services/import-calls.ts';
import type { ImportFiles } from '../services/import-files.ts';
import { createImportFiles } from '../services/import-files.ts';
import { createImportStore } from '../services/import-store.ts';
import { lazyService } from '../services/lazy-service.ts';
import { memoizeAsync } from '../services/memoize-async.ts';
import { createPatientCache, type PatientCache } from '../services/patient-cache.ts';
import { createSendFiles, type SendFilesDependencies } from '../services/send-files.ts';
import { createTabLocks } from '../services/tab-locks.ts';
import { claimsOf } from '../services/tokens.ts';
import { createUploader, lazyUploader } from '../services/uploader.ts';
import { createViewsets } from '../services/viewsets.ts';
import type { Services } from './services.ts';

/** Creates the uploader; the code that sends files is loaded with the first of them. */
const createUploaderOf = ({ origin, call, withBearer }: Services) => {
  const uploaders = lazyService(
    () => import('../services/uploaders.ts'),
    ({ createUploaders }) => createUploaders({ origin, call, withBearer }),
  );
  return createUploader({
    limits: memoizeAsync(() => call(importLimitsGet)),
    toArchive: (kind, limits) => lazyUploader(() => uploaders().then(({ toArchive }) => toArchive(kind, limits))),
    toObjectStore: lazyUploader(() => uploaders().then(({ toObjectStore }) => toObjectStore)),
  });
};

/** Fills the ports of the connection: hub events invalidate queries before the machine sees them. */
const wiredConnection = ({ origin, tokens, queryInvalidation }: Services, patientCache: PatientCache) => {
  const hub = createHub({ origin, bearer: () => validBearer(tokens) });
  return connectionMachine.provide({
    actors: {
      listenToHub: fromCallback(({ sendBack }) =>
        hub({
          onOpened: () => {
            queryInvalidation.onHubOpened();
            patientCache.setAnnounced(true);
            sendBack({ type: 'connection.opened' });
          },
          onLost: () => {
            patientCache.setAnnounced(false);
            sendBack({ type: 'connection.lost' });
          },
          onClosed: () => {
            patientCache.setAnnounced(false);
            sendBack({ type: 'connection.closed' });
          },
          onEvent: (hubEvent) => {
            queryInvalidation.onHubEvent(hubEvent);
            sendBack({ type: 'hub-event.received', hubEvent });
          },
        }),
      ),
    },
  });
};

interface ImportServices extends SendFilesDependencies {
  readonly call: Call;
  readonly importFiles: ImportFiles;
}

/** Fills the ports of one import. */
const wiredImportStudy = ({ call, uploader, importFiles }: ImportServices) => {
  const calls = createImportCalls(call);
  const sendFiles = createSendFiles({ uploader, importFiles });
  return importStudyMachine.provide({
    actors: {
      beginImport: fillPort((input: BeginInput, signal) => calls.begin(input, signal)),
      withdrawImport: fillPort(({ taskId }: { taskId: string }) => calls.withdraw(taskId)),
      parseImport: fillPort((input: ParseInput, signal) => calls.parse(input, signal)),
      decideStudies: fillPort(({ taskId, decisions }: DecideInput) => calls.decide(taskId, decisions)),
      confirmImport: fillPort(({ taskId, kind }: ConfirmInput, signal) => calls.confirm(taskId, kind, signal)),
      retryImport: fillPort(({ taskId }: { taskId: string }, signal) => calls.retry(taskId, signal)),
      fetchImport: fillPort(({ taskId }: { taskId: string }, signal) => calls.get(taskId, signal)),
      uploadFiles: fromCallback<EventObject, UploadInput>(({ input, sendBack }) => sendFiles(input, sendBack)),
    },
  });
};

/** Fills the ports of the list of imports, and of each import in it. */
export const wiredImports = (services: ImportServices) =>
  importsMachine.provide({
    actors: {
      importStudy: wiredImportStudy(services),
      restoreTray: fromPromise(() => services.importFiles.restore()),
    },
  });

/** Fills the port of the patient search. */
const wiredPatientSearch = ({ call }: Services) =>
  patientSearchMachine.provide({
    actors: {
      searchPatients: fillPort(
        async ({ clinicId, text }: { clinicId: string; text: string }, signal): Promise<Found> => {
          const body = { customerId: clinicId, q: text, page: 1, ppage: searchHits };
          const { data, similar, totalCount, isTotalExact } = await call(patientSearchPrivate, { body, signal });
          return { hits: data, similar, totalCount, isTotalExact };
        },
      ),
    },
  });

/** Fills the ports of the open mount. */
const wiredViewset = (services: Services, patientCache: PatientCache) => {
  const { call, queryClient: client, queries, queryInvalidation: invalidation } = services;
  const viewsets = createViewsets({ call, client, queries, invalidation, patientCache });
  const otherPort = () => Promise.reject(new Error('This operation belongs to another port'));
  return viewsetMachine.provide({
    actors: {
      openViewset: fillPort(({ viewsetId }: { viewsetId: string }, signal) => viewsets.open(viewsetId, signal)),
      mountImage: fillPort(({ viewsetId, version, operation }: MountChange, signal): Promise<Viewset> => {
        if (operation.kind !== 'mount') return otherPort();
        const { imageUid, to } = operation;
        return viewsets.mount({ viewsetUid: viewsetId, itemIndex: to, imageUid, version }, signal);
      }),
      unmountImage: fillPort(({ viewsetId, version, operation }: MountChange, signal): Promise<Viewset> => {
        if (operation.kind !== 'unmount') return otherPort();
        const { imageUid, from } = operation;
        return viewsets.unmount({ viewsetUid: viewsetId, itemIndex: from, imageUid, version }, signal);
      }),
      moveImage: fillPort(({ viewsetId, version, operation }: MountChange, signal): Promise<readonly Viewset[]> => {
        if (operation.kind !== 'move' && operation.kind !== 'move-in') return otherPort();
        const { imageUid, from: itemIndexFrom, to: itemIndexTo } = operation;
        const viewsetUidFrom = operation.kind === 'move' ? viewsetId : operation.viewsetId;
        const slots = { viewsetUidFrom, viewsetUidTo: viewsetId, itemIndexFrom, itemIndexTo };
        return viewsets.move({ ...slots, imageUid, versionTo: version }, signal);
      }),
      watchViewset: fromCallback<EventObject, { viewsetId: string }>(({ input, sendBack }) =>
        viewsets.watch(input.viewsetId, () => sendBack({ type: 'viewset.outdated' })),
      ),
    },
  });
};

/** Fills the port of the viewer: saves displays and marks, each with the version that the user saw. */
const wiredViewer = ({ call, drafts, queryInvalidation }: Services) => {
  const displays = createDisplays(call, queryInvalidation);
  const send = async (change: Change): Promise<Outcome> => {
    if (change.kind === 'display') {
      const { viewsetId, imageUid, display, version } = change;
      return { change, ...(await displays.saveDisplay({ viewsetUid: viewsetId, imageUid, display, version })) };
    }
    const { imageUid, annotations, deletedAnnotations, calibration, version } = change;
    const body = {
      imageUid,
      marks: change.marks.filter(isMeasurement),
      ...(annotations && { annotations: [...annotations] }),
      ...(deletedAnnotations && { deletedAnnotations: [...deletedAnnotations] }),
      calibration,
      version,
    };
    return { change, ...(await displays.saveMarks(body)) };
  };
  const save = async (change: Change): Promise<Outcome> => {
    const outcome = await send(change);
    if ('version' in outcome) forgetSaved(drafts, change);
    return outcome;
  };
  return viewerMachine.provide({
    actors: {
      // Not aborted: the last changes are saved even when the session ends.
      saveChanges: fillPort(
        (changes: readonly Change[]): Promise<readonly Outcome[]> => Promise.all(changes.map(save)),
      ),
    },
  });
};

/** Creates the machines of a session and what stores their work. Called once; this module loads in parallel with the account. */
export const openWorkspace = (app: AppActor, services: Services) => {
  const { call, tokens, drafts, queryClient } = services;
  const patientCache = createPatientCache(queryClient);
  const accountId = () => {
    const stored = tokens.current();
    return stored && claimsOf(stored.access_token).sub;
  };
  const importFiles = createImportFiles({
    store: createImportStore(),
    locks: createTabLocks('dentarium.import.'),
    account: accountId,
  });
  saveImports(app, importFiles);
  window.addEventListener('beforeunload', (event) => {
    if (importFiles.hasUnsavedBytes()) event.preventDefault();
  });
  saveUnsavedChanges(app, drafts, () => window.location.pathname + window.location.search);
  return {
    connection: wiredConnection(services, patientCache),
    imports: wiredImports({ call, uploader: createUploaderOf(services), importFiles }),
    patientSearch: wiredPatientSearch(services),
    viewset: wiredViewset(services, patientCache),
    viewer: wiredViewer(services),
    importFiles: createImports(app, importFiles),
    addFiles: createAddFiles(importFiles),
  };
};
export type Workspace = ReturnType<typeof openWorkspace>;
