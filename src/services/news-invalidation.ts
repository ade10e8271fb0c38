import type { QueryClient } from '@tanstack/query-core';
import type { HubEvent } from '../../contract/hub.ts';
import { queryRoots } from './queries.ts';

/** Kept replies that have become old: those whose key begins so, and of these those of which `isOld` says it. */
export interface Touched {
  readonly queryKey: readonly string[];
  readonly isOld?: (reply: unknown) => boolean;
}

const numberIn = (reply: unknown, name: string): number | null => {
  const value: unknown = typeof reply === 'object' && reply !== null ? Reflect.get(reply, name) : null;
  return typeof value === 'number' ? value : null;
};

const isOfPatient = (patientId: string) => (reply: unknown) =>
  typeof reply === 'object' && reply !== null && Reflect.get(reply, 'patientId') === patientId;

/** A page of the gallery that shows something of the patient; with `pending`, a picture of theirs that was still being made. */
const showsPatient =
  (patientId: string, pending = false) =>
  (reply: unknown): boolean => {
    const rows: unknown = typeof reply === 'object' && reply !== null ? Reflect.get(reply, 'data') : null;
    return (
      Array.isArray(rows) &&
      rows.some(
        (row: { patientId?: unknown; activeImageThumbLink?: unknown }) =>
          row.patientId === patientId && (!pending || row.activeImageThumbLink === null),
      )
    );
  };

/** Which kept replies a piece of news makes old. */
export const touchedBy = (news: HubEvent): readonly Touched[] => {
  switch (news.name) {
    case 'ImageProcessed':
    case 'ImageProcessedFailed':
    case 'DetachImageProcessed':
    case 'DetachedImageProcessedFailed': {
      const { patientId, viewsetId } = news.body;
      const studies = { queryKey: [queryRoots.studies, patientId] };
      const listed = { queryKey: [queryRoots.gallery], isOld: showsPatient(patientId, true) };
      // What hangs nowhere lies in the tray of any viewset of the patient.
      return viewsetId
        ? [studies, listed, { queryKey: [queryRoots.viewset, viewsetId] }]
        : [studies, listed, { queryKey: [queryRoots.viewset], isOld: isOfPatient(patientId) }];
    }
    case 'ViewsetChanged': {
      const { patientId, viewsetId, version } = news.body;
      // An own change is told of too; the reply to it is kept already.
      const isOld = (reply: unknown) => (numberIn(reply, 'version') ?? 0) < version;
      return [{ queryKey: [queryRoots.studies, patientId] }, { queryKey: [queryRoots.viewset, viewsetId], isOld }];
    }
    case 'PatientChanged': {
      const { patientId } = news.body;
      return [
        { queryKey: [queryRoots.patient, patientId] },
        { queryKey: [queryRoots.studies, patientId] },
        { queryKey: [queryRoots.patients] },
        { queryKey: [queryRoots.viewset], isOld: isOfPatient(patientId) },
        { queryKey: [queryRoots.gallery], isOld: showsPatient(patientId) },
      ];
    }
    case 'imported':
      return (['studies', 'patients', 'patient', 'imports', 'viewset', 'gallery'] as const).map((root) => ({
        queryKey: [queryRoots[root]],
      }));
    case 'parsed':
      return [{ queryKey: [queryRoots.imports] }];
    default:
      return [];
  }
};

/** Two words on the same key: old is what either says. */
const both = ({ queryKey, isOld: one }: Touched, { isOld: other }: Touched): Touched =>
  one && other ? { queryKey, isOld: (reply) => one(reply) || other(reply) } : { queryKey };

/** A thumbnail a moment is one refresh a moment, not one each: an import brings hundreds. */
const gatherMs = 400;

export interface NewsInvalidation {
  hear(news: HubEvent): void;
  /** An own change makes replies old whose key begins so. */
  touched(queryKey: readonly string[]): void;
  /** News may have been missed: everything that news can touch is old. */
  missed(): void;
  dispose(): void;
}

export const createNewsInvalidation = (client: QueryClient): NewsInvalidation => {
  const waiting = new Map<string, Touched>();
  let timer: ReturnType<typeof setTimeout> | null = null;

  const flush = () => {
    timer = null;
    const all = [...waiting.values()];
    waiting.clear();
    for (const { queryKey, isOld } of all)
      void client.invalidateQueries({ queryKey, ...(isOld && { predicate: ({ state }) => isOld(state.data) }) });
  };
  const gather = (all: readonly Touched[]) => {
    for (const touched of all) {
      const name = touched.queryKey.join('/');
      const known = waiting.get(name);
      waiting.set(name, known ? both(known, touched) : touched);
    }
    if (all.length > 0) timer ??= setTimeout(flush, gatherMs);
  };

  return {
    hear: (news) => gather(touchedBy(news)),
    touched: (queryKey) => gather([{ queryKey }]),
    missed: () => gather(Object.values(queryRoots).map((root) => ({ queryKey: [root] }))),
    dispose: () => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      waiting.clear();
    },
  };
};
