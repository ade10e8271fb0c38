import { createActor } from 'xstate';
import { type AppActor, appMachine, selectSession, selectViewer } from './machines/app/app.machine.ts';
import type { bankIdMachine } from './machines/bank-id/bank-id.machine.ts';
import type { ImportStudyActor } from './machines/import-study/import-study.machine.ts';
import type { Inspect } from './machines/port.ts';
import { selectClinic, selectIsSignedIn } from './machines/session/session.machine.ts';
import type { twoFactorMachine } from './machines/two-factor/two-factor.machine.ts';
import type { LoadBytes } from './services/images.ts';
import type { PreferenceStore } from './services/preferences.ts';
import type { Queries } from './services/queries.ts';
import type {
  AccessLog,
  FilesToImport,
  FileToImport,
  ImportTarget,
  PasswordDoors,
  SignInDoors,
} from './views/ground.tsx';
import { wiredBankId } from './wiring/bank-id.ts';
import { keepDrafts } from './wiring/drafts.ts';
import { addTo, chooseInto, keepImports, wiredImports } from './wiring/imports.ts';
import { keepChanges } from './wiring/kept-changes.ts';
import { wiredPatientSearch, wiredViewer, wiredViewset } from './wiring/reading-room.ts';
import { clinicKey, createServices, type Services } from './wiring/services.ts';
import { wiredConnection, wiredSession } from './wiring/session.ts';
import { startWaits } from './wiring/start-waits.ts';

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
  /** Somebody was signed in here before, and will be again if the archive agrees. */
  readonly expectsSomebody: boolean;
  /** Work that the archive does not have yet. */
  readonly drafts: Services['drafts'];
  readonly signIn: SignInDoors;
  readonly passwords: PasswordDoors;
  readonly bankId: typeof bankIdMachine;
  /** The access log; its code is fetched at the first call. */
  readonly accessLog: () => Promise<AccessLog>;
  /** What administrators read and write; its code is fetched at the first call. */
  readonly administration: Services['administration'];
  /** What is found, deleted, brought back and merged; its code is fetched at the first call. */
  readonly records: Services['records'];
  /** The images of a clinic; its code is fetched at the first call. */
  readonly gallery: Services['gallery'];
  /** The wizard's machine; its code is fetched at the first call. */
  readonly twoFactor: () => Promise<typeof twoFactorMachine>;
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
export const startApp = (inspect?: Inspect): StartedApp => {
  const services = createServices(location.origin);
  const app = createActor(
    appMachine.provide({
      actors: {
        session: wiredSession(services),
        connection: wiredConnection(services),
        imports: wiredImports(services),
        patientSearch: wiredPatientSearch(services),
        viewset: wiredViewset(services),
        viewer: wiredViewer(services),
      },
      delays: startWaits(performance.now()),
    }),
    { inspect },
  );
  app.start();
  // Where the person wanted to be before the browser went elsewhere to sign in, or before the page was begun anew.
  const wanted = services.address.wanted();
  if (wanted) app.send({ type: 'place.entered', place: wanted });
  rememberClinic(app);
  tellHidden(app);
  const { queryClient, queries, preferences, loadBytes, importFiles } = services;
  keepImports(app, importFiles);
  keepDrafts(app, services.drafts);
  keepChanges(app, services.drafts);
  return {
    app,
    queryClient,
    queries,
    preferences,
    expectsSomebody: services.tokens.current() !== null,
    loadBytes,
    importFiles: chooseInto(app, importFiles),
    addFiles: addTo(importFiles),
    signIn: services.signIn,
    passwords: services.passwords,
    bankId: wiredBankId(services),
    accessLog: services.accessLog,
    administration: services.administration,
    records: services.records,
    gallery: services.gallery,
    drafts: services.drafts,
    twoFactor: async () => (await import('./wiring/two-factor.ts')).wiredTwoFactor(services),
  };
};
