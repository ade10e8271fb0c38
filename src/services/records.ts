import type { QueryClient } from '@tanstack/query-core';
import { dayListGet } from '../../contract/day-lists.ts';
import {
  destructionApprove,
  destructionList,
  destructionPropose,
  destructionRefuse,
  destructionRevoke,
} from '../../contract/destruction.ts';
import { studyMoveAll, studyMoveAllPreview } from '../../contract/merge.ts';
import { recordMove, recordMovePreview } from '../../contract/moves.ts';
import { orderCancel, orderCreate, orderDay, orderList, orderUpdate } from '../../contract/orders.ts';
import {
  contentSearchDeleted,
  patientDelete,
  patientRestore,
  patientSearchDeletedPrivate,
  studySearchDeletedPrivate,
} from '../../contract/recycle-bin.ts';
import { retentionDue } from '../../contract/retention.ts';
import type { BodyOf, QueryOf, ReplyOf } from '../../contract/route.ts';
import { studySearchPrivate } from '../../contract/studies.ts';
import type { Call } from './call.ts';
import { query } from './query.ts';
import { queryRoots } from './query-roots.ts';
import { type DeletableKind, deletableRoutes } from './writes.ts';

/** A record that lists delete or restore. `patientId`: the patient's id, also for a patient. */
export interface DeletableRecord {
  readonly what: 'patient' | DeletableKind;
  readonly id: string;
  readonly patientId: string;
}

const routes = {
  patient: { delete: patientDelete, restore: patientRestore },
  ...deletableRoutes,
} as const;

/**
 * Creates calls to search, delete, restore and merge records. All lists use the query root `patients`, so they are invalidated with the
 * list of patients. Throws ServiceError.
 */
export const createRecords = (call: Call, client: QueryClient) => {
  const invalidateLists = () => {
    for (const root of [queryRoots.patients, queryRoots.statistics])
      void client.invalidateQueries({ queryKey: [root] });
  };
  /** Orders are listed with records, and with deleted clinics. */
  const invalidateImagingOrders = () => client.invalidateQueries({ queryKey: [queryRoots.orders] });
  const invalidateOrders = () => {
    invalidateLists();
    void client.invalidateQueries({ queryKey: [queryRoots.customers] });
  };
  const changeDeleted = async (
    { what, id, patientId }: DeletableRecord,
    action: 'delete' | 'restore',
  ): Promise<void> => {
    await call(routes[what][action], { params: { id } });
    // After a delete there is nothing to fetch: the queries refetch when they are used again.
    for (const queryKey of [[queryRoots.patient, patientId], [queryRoots.studies, patientId], [queryRoots.viewset]])
      void client.invalidateQueries({ queryKey, ...(action === 'delete' && { refetchType: 'none' }) });
    invalidateLists();
  };
  const invalidateMoved = ({ patientFromId, patientToId }: { patientFromId: string; patientToId: string }) => {
    for (const id of [patientFromId, patientToId])
      for (const root of [queryRoots.patient, queryRoots.studies])
        void client.invalidateQueries({ queryKey: [root, id] });
    for (const root of [queryRoots.viewset, queryRoots.imports, queryRoots.gallery])
      void client.invalidateQueries({ queryKey: [root] });
    invalidateLists();
  };
  return {
    studies: (params: BodyOf<typeof studySearchPrivate>) =>
      query<ReplyOf<typeof studySearchPrivate>>([queryRoots.patients, 'studies', params], (signal) =>
        call(studySearchPrivate, { body: params, signal }),
      ),
    /** Fetched anew whenever it is shown, since opening patients and images changes it without an event. */
    dayList: (params: BodyOf<typeof dayListGet>) => ({
      ...query<ReplyOf<typeof dayListGet>>([queryRoots.patients, 'day', params], (signal) =>
        call(dayListGet, { body: params, signal }),
      ),
      staleTime: 0,
    }),
    deletedPatients: (params: BodyOf<typeof patientSearchDeletedPrivate>) =>
      query<ReplyOf<typeof patientSearchDeletedPrivate>>([queryRoots.patients, 'deleted', params], (signal) =>
        call(patientSearchDeletedPrivate, { body: params, signal }),
      ),
    deletedStudies: (params: BodyOf<typeof studySearchDeletedPrivate>) =>
      query<ReplyOf<typeof studySearchDeletedPrivate>>([queryRoots.patients, 'deleted-studies', params], (signal) =>
        call(studySearchDeletedPrivate, { body: params, signal }),
      ),
    deletedContents: (params: BodyOf<typeof contentSearchDeleted>) =>
      query<ReplyOf<typeof contentSearchDeleted>>([queryRoots.patients, 'deleted-contents', params], (signal) =>
        call(contentSearchDeleted, { body: params, signal }),
      ),
    /** Patients whose retention has ended. Read anew whenever it is shown: new entries send no event. */
    retentionDue: (params: BodyOf<typeof retentionDue>) => ({
      ...query<ReplyOf<typeof retentionDue>>([queryRoots.patients, 'retention', params], (signal) =>
        call(retentionDue, { body: params, signal }),
      ),
      staleTime: 0,
    }),
    /** Orders to destroy records. */
    destructionOrders: (params: BodyOf<typeof destructionList>) => ({
      ...query<ReplyOf<typeof destructionList>>([queryRoots.patients, 'destruction', params], (signal) =>
        call(destructionList, { body: params, signal }),
      ),
      staleTime: 0,
    }),
    proposeDestruction: async (body: BodyOf<typeof destructionPropose>): Promise<void> => {
      await call(destructionPropose, { body });
      invalidateOrders();
    },
    approveDestruction: async (id: string, reference: string): Promise<void> => {
      await call(destructionApprove, { params: { id }, body: { reference } });
      invalidateOrders();
    },
    endDestruction: async (id: string, action: 'refuse' | 'revoke'): Promise<void> => {
      await call(action === 'refuse' ? destructionRefuse : destructionRevoke, { params: { id } });
      invalidateOrders();
    },
    /** Moves a record to the recycle bin. */
    delete: (record: DeletableRecord) => changeDeleted(record, 'delete'),
    restore: (record: DeletableRecord) => changeDeleted(record, 'restore'),

    /** Orders of images of a patient. Read whenever they are shown: the patient page does not follow their events. */
    orders: (patientId: string) => ({
      ...query<ReplyOf<typeof orderList>>([queryRoots.orders, patientId], (signal) =>
        call(orderList, { params: { id: patientId }, signal }),
      ),
      staleTime: 0,
    }),
    createOrder: async (body: BodyOf<typeof orderCreate>): Promise<ReplyOf<typeof orderCreate>> => {
      const made = await call(orderCreate, { body });
      await invalidateImagingOrders();
      return made;
    },
    /** Also after an error the saved values are read. */
    updateOrder: async (body: BodyOf<typeof orderUpdate>): Promise<void> => {
      await call(orderUpdate, { body }).finally(invalidateImagingOrders);
    },
    cancelOrder: async (id: string): Promise<void> => {
      await call(orderCancel, { body: { id } }).finally(invalidateImagingOrders);
    },
    /** Orders of images of a clinic for a day. */
    ordersOfDay: (customerId: string, day: string) => ({
      ...query<ReplyOf<typeof orderDay>>([queryRoots.orders, 'day', customerId, day], (signal) =>
        call(orderDay, { params: { customerId }, query: { day }, signal }),
      ),
      staleTime: 0,
    }),

    /** Returns what a merge would move. */
    mergePreview: (patientFromId: string, patientToId: string) =>
      query<ReplyOf<typeof studyMoveAllPreview>>([queryRoots.patients, 'merge', patientFromId, patientToId], (signal) =>
        call(studyMoveAllPreview, { query: { patientFromId, patientToId }, signal }),
      ),
    merge: async (body: BodyOf<typeof studyMoveAll>): Promise<ReplyOf<typeof studyMoveAll>> => {
      const moved = await call(studyMoveAll, { body });
      invalidateMoved(body);
      return moved;
    },

    /** Returns what a move of one study, series or image would change. */
    movePreview: (params: QueryOf<typeof recordMovePreview>) =>
      query<ReplyOf<typeof recordMovePreview>>([queryRoots.patients, 'move', params], (signal) =>
        call(recordMovePreview, { query: params, signal }),
      ),
    moveRecord: async (body: BodyOf<typeof recordMove>): Promise<ReplyOf<typeof recordMove>> => {
      const moved = await call(recordMove, { body });
      invalidateMoved(body);
      return moved;
    },
  };
};

export type Records = ReturnType<typeof createRecords>;
