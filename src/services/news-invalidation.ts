import type { QueryClient } from '@tanstack/query-core';
import type { HubEvent } from '../../contract/hub.ts';
import { queryRoots } from './queries.ts';

/** Which kept replies a piece of news makes old. */
export const keysOf = (news: HubEvent): readonly (readonly string[])[] => {
  switch (news.name) {
    case 'ImageProcessed':
    case 'ImageProcessedFailed':
    case 'DetachImageProcessed':
    case 'DetachedImageProcessedFailed': {
      const { patientId, viewsetId } = news.body;
      const studies = [queryRoots.studies, patientId];
      return viewsetId ? [studies, [queryRoots.viewset, viewsetId]] : [studies];
    }
    case 'imported':
      return [[queryRoots.studies], [queryRoots.patients], [queryRoots.patient], [queryRoots.imports]];
    case 'parsed':
      return [[queryRoots.imports]];
    default:
      return [];
  }
};

/** A thumbnail a moment is one refresh a moment, not one each: an import brings hundreds. */
const gatherMs = 400;

export interface NewsInvalidation {
  hear(news: HubEvent): void;
  /** News may have been missed: everything that news can touch is old. */
  missed(): void;
  dispose(): void;
}

export const createNewsInvalidation = (client: QueryClient): NewsInvalidation => {
  const waiting = new Map<string, readonly string[]>();
  let timer: ReturnType<typeof setTimeout> | null = null;

  const flush = () => {
    timer = null;
    const keys = [...waiting.values()];
    waiting.clear();
    for (const queryKey of keys) void client.invalidateQueries({ queryKey });
  };
  const gather = (keys: readonly (readonly string[])[]) => {
    for (const key of keys) waiting.set(key.join('/'), key);
    if (keys.length > 0) timer ??= setTimeout(flush, gatherMs);
  };

  return {
    hear: (news) => gather(keysOf(news)),
    missed: () => gather(Object.values(queryRoots).map((root) => [root])),
    dispose: () => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      waiting.clear();
    },
  };
};
