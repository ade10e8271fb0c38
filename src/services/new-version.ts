/** Interval of update checks; pages stay open for weeks. */
const checkIntervalMs = 3_600_000;

export interface NewVersionDependencies {
  readonly container: Pick<ServiceWorkerContainer, 'register' | 'controller'> & EventTarget;
  readonly page: Pick<Document, 'visibilityState'> & EventTarget;
  /** Called when a new version waits; the argument activates it and reloads the page. */
  readonly onNew: (activate: () => void) => void;
  readonly reload: () => void;
}

/**
 * Registers the service worker and reports a waiting version. The page reloads only after the user agrees. A version activated by another
 * tab is reported too.
 */
export const watchForNewVersion = async ({
  container,
  page,
  onNew,
  reload,
}: NewVersionDependencies): Promise<() => void> => {
  const registration = await container.register('/service-worker.js');
  let isActivating = false;
  const first = !container.controller;
  let isControlled = !first;

  const offer = (waiting: ServiceWorker) =>
    onNew(() => {
      isActivating = true;
      waiting.postMessage('take-over');
    });
  const watch = (installing: ServiceWorker | null) => {
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed' && container.controller) offer(installing);
    });
  };
  const onFound = () => watch(registration.installing);
  const onChange = () => {
    if (isActivating) reload();
    // The first service worker takes control without a change of version.
    else if (isControlled) onNew(reload);
    isControlled = true;
  };
  const checkForUpdate = () => {
    // Offline: the next check follows.
    registration.update().catch(() => {});
  };
  const onVisible = () => {
    if (page.visibilityState === 'visible') checkForUpdate();
  };

  if (registration.waiting && container.controller) offer(registration.waiting);
  else watch(registration.installing);
  registration.addEventListener('updatefound', onFound);
  container.addEventListener('controllerchange', onChange);
  page.addEventListener('visibilitychange', onVisible);
  const timer = setInterval(checkForUpdate, checkIntervalMs);
  return () => {
    clearInterval(timer);
    registration.removeEventListener('updatefound', onFound);
    container.removeEventListener('controllerchange', onChange);
    page.removeEventListener('visibilitychange', onVisible);
  };
};

/** Watches in this browser; does nothing without service workers. An error of `onNew` is ignored: the page itself reports missing code. */
export const watchBrowserForNewVersion = async (onNew: (activate: () => void) => Promise<void>): Promise<void> => {
  if (!navigator.serviceWorker) return;
  await watchForNewVersion({
    container: navigator.serviceWorker,
    page: document,
    reload: () => location.reload(),
    onNew: (activate) => void onNew(activate).catch(() => {}),
  });
};
