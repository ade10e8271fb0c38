/** How often an open page asks whether there is a new version; a clinic's pages stay open for weeks. */
const askEveryMs = 3_600_000;

export interface NewVersionDependencies {
  readonly container: Pick<ServiceWorkerContainer, 'register' | 'controller'> & EventTarget;
  readonly page: Pick<Document, 'visibilityState'> & EventTarget;
  /** A new version waits; `take` puts it in place of the one that is running, and reloads the page. */
  readonly onNew: (take: () => void) => void;
  readonly reload: () => void;
}

/**
 * Registers the service worker and tells when another version waits. Nothing is reloaded before somebody says so. Another tab that took the new
 * version leaves this one as it is; it is told here too.
 */
export const watchForNewVersion = async ({
  container,
  page,
  onNew,
  reload,
}: NewVersionDependencies): Promise<() => void> => {
  const registration = await container.register('/service-worker.js');
  let taking = false;
  const first = !container.controller;
  let known = !first;

  const tell = (waiting: ServiceWorker) =>
    onNew(() => {
      taking = true;
      waiting.postMessage('take-over');
    });
  const watch = (installing: ServiceWorker | null) => {
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed' && container.controller) tell(installing);
    });
  };
  const onFound = () => watch(registration.installing);
  const onChange = () => {
    if (taking) reload();
    // The first one of all takes its place by itself, and changes nothing.
    else if (known) onNew(reload);
    known = true;
  };
  const ask = () => {
    // Without a network it is asked again later.
    registration.update().catch(() => {});
  };
  const onSeen = () => {
    if (page.visibilityState === 'visible') ask();
  };

  if (registration.waiting && container.controller) tell(registration.waiting);
  else watch(registration.installing);
  registration.addEventListener('updatefound', onFound);
  container.addEventListener('controllerchange', onChange);
  page.addEventListener('visibilitychange', onSeen);
  const timer = setInterval(ask, askEveryMs);
  return () => {
    clearInterval(timer);
    registration.removeEventListener('updatefound', onFound);
    container.removeEventListener('controllerchange', onChange);
    page.removeEventListener('visibilitychange', onSeen);
  };
};
