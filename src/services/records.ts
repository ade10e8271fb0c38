import type { QueryClient } from '@tanstack/query-core';
import {
  patientDelete,
  patientRestore,
  patientSearchDeletedPrivate,
  studySearchDeletedPrivate,
} from '../../contract/bin.ts';
import { studyMoveAll, studyMoveAllPreview } from '../../contract/merge.ts';
import type { BodyOf, ReplyOf } from '../../contract/route.ts';
import { studyDelete, studyRestore, studySearchPrivate } from '../../contract/studies.ts';
import type { Call } from './call.ts';
import { query } from './query.ts';
import { queryRoots } from './query-roots.ts';

/** What goes into the recycle bin from a list, and comes out of it again. `patientId`: whose it is; of a patient, their own id. */
export interface BinRecord {
  readonly what: 'patient' | 'study';
  readonly id: string;
  readonly patientId: string;
}

const ways = {
  patient: { delete: patientDelete, restore: patientRestore },
  study: { delete: studyDelete, restore: studyRestore },
} as const;

/**
 * What is found, deleted, brought back and merged of a clinic's records. The lists stand under `patients`, as the list of patients does: whatever
 * makes that old makes them old too. Throws ServiceError.
 */
export const createRecords = (call: Call, client: QueryClient) => {
  const listsAreOld = () => {
    for (const root of [queryRoots.patients, queryRoots.statistics])
      void client.invalidateQueries({ queryKey: [root] });
  };
  const move = async ({ what, id, patientId }: BinRecord, way: 'delete' | 'restore'): Promise<void> => {
    await call(ways[what][way], { params: { id } });
    // Asked for again when it is looked at next: of somebody who was just deleted there is nothing to be had now.
    for (const queryKey of [[queryRoots.patient, patientId], [queryRoots.studies, patientId], [queryRoots.viewset]])
      void client.invalidateQueries({ queryKey, ...(way === 'delete' && { refetchType: 'none' }) });
    listsAreOld();
  };
  return {
    studies: (asked: BodyOf<typeof studySearchPrivate>) =>
      query<ReplyOf<typeof studySearchPrivate>>([queryRoots.patients, 'studies', asked], (signal) =>
        call(studySearchPrivate, { body: asked, signal }),
      ),
    deletedPatients: (asked: BodyOf<typeof patientSearchDeletedPrivate>) =>
      query<ReplyOf<typeof patientSearchDeletedPrivate>>([queryRoots.patients, 'deleted', asked], (signal) =>
        call(patientSearchDeletedPrivate, { body: asked, signal }),
      ),
    deletedStudies: (asked: BodyOf<typeof studySearchDeletedPrivate>) =>
      query<ReplyOf<typeof studySearchDeletedPrivate>>([queryRoots.patients, 'deleted-studies', asked], (signal) =>
        call(studySearchDeletedPrivate, { body: asked, signal }),
      ),
    /** Into the recycle bin. */
    delete: (record: BinRecord) => move(record, 'delete'),
    restore: (record: BinRecord) => move(record, 'restore'),

    /** What a merge would move. */
    mergePreview: (patientFromId: string, patientToId: string) =>
      query<ReplyOf<typeof studyMoveAllPreview>>([queryRoots.patients, 'merge', patientFromId, patientToId], (signal) =>
        call(studyMoveAllPreview, { query: { patientFromId, patientToId }, signal }),
      ),
    merge: async (body: BodyOf<typeof studyMoveAll>): Promise<ReplyOf<typeof studyMoveAll>> => {
      const moved = await call(studyMoveAll, { body });
      for (const id of [body.patientFromId, body.patientToId])
        for (const root of [queryRoots.patient, queryRoots.studies])
          void client.invalidateQueries({ queryKey: [root, id] });
      for (const root of [queryRoots.viewset, queryRoots.imports]) void client.invalidateQueries({ queryKey: [root] });
      listsAreOld();
      return moved;
    },
  };
};

export type Records = ReturnType<typeof createRecords>;
