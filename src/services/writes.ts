import type { QueryClient } from '@tanstack/query-core';
import { azureDelete, azureSave } from '../../contract/configuration.ts';
import { imageDelete, imageRestore, imageUpdate } from '../../contract/images.ts';
import { patientCreate, patientUpdate } from '../../contract/patients.ts';
import type { BodyOf, ReplyOf, Route } from '../../contract/route.ts';
import { seriesDelete, seriesRestore, studyDelete, studyRestore, studyUpdate } from '../../contract/studies.ts';
import {
  templateCreate,
  templateFavorite,
  type templates,
  viewsetCreate,
  viewsetDelete,
  viewsetRestore,
  viewsetUpdate,
} from '../../contract/viewsets.ts';
import type { Call } from './call.ts';
import { queryRoots } from './query-roots.ts';

/** What a person may throw away and take back, and the calls for it. */
const bins = {
  study: { delete: studyDelete, restore: studyRestore },
  series: { delete: seriesDelete, restore: seriesRestore },
  image: { delete: imageDelete, restore: imageRestore },
  viewset: { delete: viewsetDelete, restore: viewsetRestore },
} as const;
export type Binned = keyof typeof bins;

export interface BinnedRecord {
  readonly what: Binned;
  readonly id: string;
  readonly patientId: string;
}

/** What forms and dialogs write. Each makes old what it changes, before the archive's own news of it arrive. */
export const createWrites = (call: Call, client: QueryClient) => {
  const old = (...keys: readonly (readonly unknown[])[]) => {
    for (const queryKey of keys) void client.invalidateQueries({ queryKey });
  };
  const recordIsOld = (patientId: string) =>
    old([queryRoots.studies, patientId], [queryRoots.patient, patientId], [queryRoots.patients], [queryRoots.viewset]);

  const write = async <R extends Route>(
    route: R,
    body: BodyOf<R>,
    then: (reply: ReplyOf<R>) => void,
  ): Promise<ReplyOf<R>> => {
    const reply = await call(route, { body });
    then(reply);
    return reply;
  };

  const bin = async ({ what, id, patientId }: BinnedRecord, way: 'delete' | 'restore'): Promise<void> => {
    await call(bins[what][way], { params: { id } });
    recordIsOld(patientId);
  };

  return {
    createPatient: (body: BodyOf<typeof patientCreate>) => write(patientCreate, body, () => old([queryRoots.patients])),
    updatePatient: (body: BodyOf<typeof patientUpdate>) =>
      write(patientUpdate, body, (patient) => {
        client.setQueryData([queryRoots.patient, patient.id], patient);
        old([queryRoots.patients]);
      }),
    updateStudy: (body: BodyOf<typeof studyUpdate>) =>
      write(studyUpdate, body, ({ patientId }) => recordIsOld(patientId)),
    updateImage: (body: BodyOf<typeof imageUpdate>, patientId: string) =>
      write(imageUpdate, body, () => recordIsOld(patientId)),
    /** Into the recycle bin. */
    deleteRecord: (record: BinnedRecord) => bin(record, 'delete'),
    restoreRecord: (record: BinnedRecord) => bin(record, 'restore'),
    createViewset: (body: BodyOf<typeof viewsetCreate>) =>
      write(viewsetCreate, body, ({ viewSetUuid, patientId }) => {
        recordIsOld(patientId);
        old([queryRoots.viewset, viewSetUuid]);
      }),
    updateViewset: (body: BodyOf<typeof viewsetUpdate>) =>
      write(viewsetUpdate, body, (viewset) => {
        client.setQueryData([queryRoots.viewset, viewset.viewSetUuid], viewset);
        old([queryRoots.studies, viewset.patientId]);
      }),
    /** What the sign-in page offers is old then, too. */
    saveAzure: (body: BodyOf<typeof azureSave>) => write(azureSave, body, () => old([queryRoots.azure], ['welcome'])),
    removeAzure: async (): Promise<void> => {
      await call(azureDelete, {});
      old([queryRoots.azure], ['welcome']);
    },
    createTemplate: (body: BodyOf<typeof templateCreate>) =>
      write(templateCreate, body, () => old([queryRoots.templates])),
    /** A star is set at once in what is shown, and taken back when the archive refuses. */
    favorTemplate: async (body: BodyOf<typeof templateFavorite>): Promise<void> => {
      const queryKey = [queryRoots.templates];
      const mark = (isFavorite: boolean) =>
        client.setQueriesData<ReplyOf<typeof templates>>({ queryKey }, (shown) =>
          shown?.map((template) => (template.uuid === body.uuid ? { ...template, isFavorite } : template)),
        );
      mark(body.isFavorite);
      try {
        await call(templateFavorite, { body });
      } catch (error) {
        mark(!body.isFavorite);
        throw error;
      }
    },
  };
};

export type Writes = ReturnType<typeof createWrites>;
