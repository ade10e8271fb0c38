import { ServiceError } from './failure.ts';
import { memoizeAsync } from './memoize-async.ts';

/** Address of the module in the message of a failed import, in Chromium and Firefox. Safari imports a failed module again. */
const addressIn = (cause: unknown): string | null =>
  cause instanceof Error ? (/https?:\/\/\S+\.js/.exec(cause.message)?.[0] ?? null) : null;

/**
 * Returns a service whose module is loaded at the first call. After a failure the next call loads it from another address, because Chromium keeps a
 * failed module for the life of the page (https://github.com/whatwg/html/issues/6768).
 * @throws ServiceError `offline` when the module cannot be loaded
 */
export const lazyService = <Module, Service>(
  load: () => Promise<Module>,
  create: (module: Module) => Service,
  importFrom: (address: string) => Promise<Module> = (address) => import(/* @vite-ignore */ address),
): (() => Promise<Service>) => {
  let failedAddress: string | null = null;
  let attempts = 0;
  const loadAgain = (address: string): Promise<Module> => {
    attempts += 1;
    return importFrom(`${address}?attempt=${attempts}`);
  };
  return memoizeAsync(async () => {
    const module = await (failedAddress === null ? load() : loadAgain(failedAddress)).catch((cause: unknown) => {
      failedAddress ??= addressIn(cause);
      throw new ServiceError({ kind: 'offline' }, { cause });
    });
    return create(module);
  });
};
