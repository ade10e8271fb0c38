import type { i18n } from 'i18next';
import { createActor } from 'xstate';
import { type AppActor, appMachine, selectSession, selectViewer } from '../machines/app/app.machine.ts';
import { remainingStartDelays } from '../machines/app/start-delays.ts';
import { type Inspect, lazyMachine } from '../machines/port.ts';
import { saveSession } from '../machines/session/save-session.ts';
import { purgeRegularly } from '../services/drafts.ts';
import { ServiceError } from '../services/failure.ts';
import { memoizeAsync } from '../services/memoize-async.ts';
import { whenIdle } from '../services/when-idle.ts';
import type { AppContext } from '../views/app/app-context.tsx';
import { createTranslation, prefetchTexts } from '../views/language/translation.ts';
import radiograph from '../views/theme/radiograph.webp';
import { createServices, type Services } from './services.ts';
import { wiredBankId, wiredInteraction, wiredLock, wiredSession } from './session.ts';
import type { Workspace } from './workspace.ts';

/** Reports a failed dynamic import as offline. */
const throwOffline = (cause: unknown): never => {
  throw new ServiceError({ kind: 'offline' }, { cause });
};

/** The module that renders the page; it loads while the actors start. */
export type Screen = Pick<typeof import('../views/app/screen.tsx'), 'SignedIn' | 'show'>;

/** In development `?inspect` opens the actor inspector; builds do not contain it. */
const loadInspector = async () => {
  const { isInspectorRequested, openInspector } = await import('../inspect/inspector.ts');
  return isInspectorRequested() ? openInspector() : undefined;
};

interface StartOptions {
  readonly services: Services;
  readonly inspect: Inspect | undefined;
  /** Loads the pages after sign-in; sign-in completes when they are loaded. */
  readonly fetchPages: () => Promise<unknown>;
}

/** Fills the ports and starts the root actor. Returns it, and the workspace of signed-in users once it is loaded. */
const startApp = ({ services, inspect, fetchPages }: StartOptions) => {
  let workspace: Workspace | null = null;
  const loaded = (): Workspace => {
    if (!workspace) throw new Error('The workspace is not loaded');
    return workspace;
  };
  const loadSignedIn = memoizeAsync(async () => {
    const [{ openWorkspace }] = await Promise.all([import('./workspace.ts'), fetchPages()]).catch(throwOffline);
    workspace = openWorkspace(app, services);
  });
  const machine = appMachine.provide({
    actors: {
      session: wiredSession(services, loadSignedIn),
      connection: lazyMachine(() => loaded().connection),
      imports: lazyMachine(() => loaded().imports),
      patientSearch: lazyMachine(() => loaded().patientSearch),
      viewer: lazyMachine(() => loaded().viewer),
      viewset: lazyMachine(() => loaded().viewset),
    },
    delays: remainingStartDelays(performance.now()),
  });
  const app: AppActor = createActor(machine, { inspect });
  app.start();
  return { app, loaded };
};

/** Connects the root actor to the page: the stored path, what is saved of the session, and a page that is hidden. */
const connectPage = (app: AppActor, services: Services): void => {
  // The path stored before a redirect to sign in, or before a reload.
  const returnPath = services.address.returnPath();
  if (returnPath) app.send({ type: 'path.entered', path: returnPath });
  const session = selectSession(app.getSnapshot());
  if (session) saveSession(session, services);
  purgeRegularly(services.drafts);
  // A hidden page may be discarded by the browser.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') selectViewer(app.getSnapshot())?.send({ type: 'page.hidden' });
  });
};

/** What the views need of services; code of later pages is loaded at the first call. */
const contextOf = (app: AppActor, loaded: () => Workspace, services: Services, inspect?: Inspect): AppContext => {
  const { preferences } = services;
  return {
    app,
    inspect,
    openImages: services.images.open,
    expectsSignIn: services.tokens.current() !== null,
    importFiles: (target, groups) => loaded().importFiles(target, groups),
    addFiles: (one, files) => loaded().addFiles(one, files),
    passwords: services.passwords,
    pins: services.pins,
    bankId: wiredBankId(services),
    interaction: wiredInteraction(services.interactions),
    twoFactor: async () => (await import('./two-factor.ts')).wiredTwoFactor(services),
    lock: wiredLock(services),
    wasLocked: services.sessionLock.isLocked,
    accessLog: services.accessLog,
    administration: services.administration,
    passkeys: services.passkeys,
    records: services.records,
    gallery: services.gallery,
    pictures: services.pictures,
    themeChoice: () => preferences.current().theme,
    rememberTheme: (theme) => preferences.change({ theme }),
    rememberLanguage: (language) => preferences.change({ language }),
  };
};

/** Shows toasts for the start and end of a database outage. */
const notifyOutages = ({ databaseOutage }: Services, translation: i18n): void => {
  const toasts = () => import('../views/app/shell/database-toast.ts');
  databaseOutage.listen({
    onUnavailable: () =>
      void toasts().then(
        ({ showDatabaseUnavailable }) => showDatabaseUnavailable(translation),
        () => {},
      ),
    onAvailable: () =>
      void toasts().then(
        ({ showDatabaseAvailable }) => showDatabaseAvailable(translation),
        () => {},
      ),
  });
};

/** Offers to reload when a new version is available. Registration can fail, for example in a private window. */
const offerNewVersions = async (translation: i18n): Promise<void> => {
  const { watchBrowserForNewVersion } = await import('../services/new-version.ts');
  await watchBrowserForNewVersion(async (activate) => {
    const { showNewVersion } = await import('../views/app/shell/new-version-toast.ts');
    showNewVersion(translation, activate);
  });
};

/** Starts the application, preloads what it needs, and renders it when that has loaded. */
export const start = async (screen: Promise<Screen>): Promise<void> => {
  const inspect = import.meta.env.DEV ? await loadInspector() : undefined;
  const services = createServices(location.origin);
  const fetchPages = async () => {
    await translated;
    await (await screen).SignedIn.fetch();
  };
  const { app, loaded } = startApp({ services, inspect, fetchPages });
  connectPage(app, services);
  const context = contextOf(app, loaded, services, inspect);
  const { language } = services.preferences.current();
  const translated = createTranslation(language);
  // A failed preload is repeated where it is needed.
  if (context.expectsSignIn) prefetchTexts(language, 'app');
  // Preloads the picture of the sign-in page.
  else new Image().src = radiograph;
  const [{ show }, translation] = await Promise.all([screen, translated]);
  const { queryClient, queries, drafts } = services;
  show({ context, queryClient, queries, drafts, translation });
  notifyOutages(services, translation);
  if (!import.meta.env.PROD) return;
  const checkWhenIdle = () => whenIdle(() => void offerNewVersions(translation).catch(() => {}));
  if (document.readyState === 'complete') checkWhenIdle();
  else window.addEventListener('load', checkWhenIdle, { once: true });
};
