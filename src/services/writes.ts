import type { QueryClient } from '@tanstack/query-core';
import { azureDelete, azureSave } from '../../contract/configuration.ts';
import {
  dicomFetchCancel,
  dicomFetchCreate,
  dicomFetchRemove,
  dicomFetchSearch,
} from '../../contract/dicom-fetches.ts';
import { dicomSendingCancel, dicomSendingCreate, dicomSendingRemove } from '../../contract/dicom-sendings.ts';
import { gradeSave } from '../../contract/grades.ts';
import { type ImageInfo, imageDelete, imageRestore, imageUpdate } from '../../contract/images.ts';
import { monitorCheckAdd } from '../../contract/monitor-checks.ts';
import { noteSave } from '../../contract/notes.ts';
import { patientCreate, patientUpdate } from '../../contract/patients.ts';
import type { BodyOf, ReplyOf, Route } from '../../contract/route.ts';
import {
  type Study,
  seriesDelete,
  seriesRestore,
  type studiesByPatient,
  studyDelete,
  studyRestore,
  studyUpdate,
} from '../../contract/studies.ts';
import { testMail, testSms } from '../../contract/system-status.ts';
import { templateImport, templateObject } from '../../contract/template-objects.ts';
import {
  templateCreate,
  templateFavorite,
  type templates,
  type Viewset,
  viewsetCreate,
  viewsetDelete,
  viewsetRestore,
  viewsetUpdate,
} from '../../contract/viewsets.ts';
import type { Call } from './call.ts';
import { failureOf, hasProblemCode } from './failure.ts';
import type { LoadFile } from './load-file.ts';
import { queryRoots } from './query-roots.ts';

/** Routes to delete and restore records. */
export const deletableRoutes = {
  study: { delete: studyDelete, restore: studyRestore },
  series: { delete: seriesDelete, restore: seriesRestore },
  image: { delete: imageDelete, restore: imageRestore },
  viewset: { delete: viewsetDelete, restore: viewsetRestore },
} as const;
export type DeletableKind = keyof typeof deletableRoutes;

export interface DeletableKindRecord {
  readonly what: DeletableKind;
  readonly id: string;
  readonly patientId: string;
}

/** Creates the write calls of forms and dialogs. Each invalidates what it changes, before the hub event arrives. */
export const createWrites = (call: Call, client: QueryClient, loadFile: LoadFile) => {
  const invalidate = (...keys: readonly (readonly unknown[])[]) => {
    for (const queryKey of keys) void client.invalidateQueries({ queryKey });
  };
  const invalidateRecord = (patientId: string) =>
    invalidate(
      [queryRoots.studies, patientId],
      [queryRoots.patient, patientId],
      [queryRoots.patients],
      [queryRoots.viewset],
      [queryRoots.changes],
    );

  const showStudies = (patientId: string, shown: (study: Study) => Study) =>
    client.setQueriesData<ReplyOf<typeof studiesByPatient>>(
      { queryKey: [queryRoots.studies, patientId] },
      (list) => list && { ...list, data: list.data.map(shown) },
    );
  /** Shows the new version of an image at once: a form opened before the lists are fetched again would save over the one before. */
  const showImage = (image: ImageInfo, patientId: string) => {
    const shown = <T extends ImageInfo | null>(one: T) => (one?.uid === image.uid ? image : one);
    showStudies(patientId, (study) => ({
      ...study,
      series: study.series.map((series) => ({ ...series, images: series.images.map(shown) })),
    }));
    client.setQueriesData<Viewset>(
      { queryKey: [queryRoots.viewset] },
      (viewset) =>
        viewset && {
          ...viewset,
          viewSetItems: viewset.viewSetItems.map((item) => ({ ...item, activeImage: shown(item.activeImage) })),
          detachedImages: viewset.detachedImages.map(shown),
        },
    );
  };

  const write = async <R extends Route>(
    route: R,
    body: BodyOf<R>,
    onReply: (reply: ReplyOf<R>) => void,
  ): Promise<ReplyOf<R>> => {
    const reply = await call(route, { body });
    onReply(reply);
    return reply;
  };

  const changeDeleted = async (
    { what, id, patientId }: DeletableKindRecord,
    action: 'delete' | 'restore',
  ): Promise<void> => {
    await call(deletableRoutes[what][action], { params: { id } });
    invalidateRecord(patientId);
  };

  /** Shows the new version at once. After a conflict the version of the other user is fetched. */
  const addVersion = async <Version extends { readonly version: number }>(
    queryKey: readonly unknown[],
    patientId: string,
    save: () => Promise<Version>,
  ): Promise<Version> => {
    try {
      const saved = await save();
      client.setQueryData<{ readonly versions: readonly Version[] }>(queryKey, (known) => ({
        versions: [saved, ...(known?.versions ?? []).filter(({ version }) => version !== saved.version)].sort(
          (one, other) => other.version - one.version,
        ),
      }));
      invalidateRecord(patientId);
      return saved;
    } catch (error) {
      if (hasProblemCode(failureOf(error), 'conflict')) {
        invalidate(queryKey);
        invalidateRecord(patientId);
      }
      throw error;
    }
  };

  return {
    createPatient: (body: BodyOf<typeof patientCreate>) =>
      write(patientCreate, body, () => invalidate([queryRoots.patients])),
    updatePatient: (body: BodyOf<typeof patientUpdate>) =>
      write(patientUpdate, body, (patient) => {
        client.setQueryData([queryRoots.patient, patient.id], patient);
        invalidate([queryRoots.patients]);
      }),
    updateStudy: (body: BodyOf<typeof studyUpdate>) =>
      write(studyUpdate, body, (study) => {
        showStudies(study.patientId, (one) => (one.id === study.id ? study : one));
        invalidateRecord(study.patientId);
      }),
    updateImage: (body: BodyOf<typeof imageUpdate>, patientId: string) =>
      write(imageUpdate, body, (image) => {
        showImage(image, patientId);
        invalidateRecord(patientId);
      }),
    /** Moves a record to the recycle bin. */
    deleteRecord: (record: DeletableKindRecord) => changeDeleted(record, 'delete'),
    restoreRecord: (record: DeletableKindRecord) => changeDeleted(record, 'restore'),
    createViewset: (body: BodyOf<typeof viewsetCreate>) =>
      write(viewsetCreate, body, ({ viewSetUuid, patientId }) => {
        invalidateRecord(patientId);
        invalidate([queryRoots.viewset, viewSetUuid]);
      }),
    updateViewset: (body: BodyOf<typeof viewsetUpdate>) =>
      write(viewsetUpdate, body, (viewset) => {
        client.setQueryData([queryRoots.viewset, viewset.viewSetUuid], viewset);
        invalidate([queryRoots.studies, viewset.patientId]);
      }),
    saveNote: (body: BodyOf<typeof noteSave>, patientId: string): Promise<ReplyOf<typeof noteSave>> =>
      addVersion<ReplyOf<typeof noteSave>>([queryRoots.note, body.subject, body.id], patientId, () =>
        call(noteSave, { body }),
      ),
    /** Images that are not acceptable leave the gallery, so that it is fetched again. */
    saveGrade: async (body: BodyOf<typeof gradeSave>, patientId: string): Promise<ReplyOf<typeof gradeSave>> => {
      const saved = await addVersion<ReplyOf<typeof gradeSave>>([queryRoots.grade, body.id], patientId, () =>
        call(gradeSave, { body }),
      );
      invalidate([queryRoots.gallery]);
      return saved;
    },
    addMonitorCheck: (body: BodyOf<typeof monitorCheckAdd>) =>
      write(monitorCheckAdd, body, () => invalidate([queryRoots.monitorChecks])),
    sendToDevice: (body: BodyOf<typeof dicomSendingCreate>) =>
      write(dicomSendingCreate, body, () => invalidate([queryRoots.dicomSendings])),
    cancelSending: (id: string) => write(dicomSendingCancel, { id }, () => invalidate([queryRoots.dicomSendings])),
    removeSending: (id: string) => write(dicomSendingRemove, { id }, () => invalidate([queryRoots.dicomSendings])),
    searchDevice: (body: BodyOf<typeof dicomFetchSearch>): Promise<ReplyOf<typeof dicomFetchSearch>> =>
      call(dicomFetchSearch, { body }),
    fetchStudies: (body: BodyOf<typeof dicomFetchCreate>) =>
      write(dicomFetchCreate, body, () => invalidate([queryRoots.dicomFetches])),
    cancelFetch: (id: string) => write(dicomFetchCancel, { id }, () => invalidate([queryRoots.dicomFetches])),
    removeFetch: (id: string) => write(dicomFetchRemove, { id }, () => invalidate([queryRoots.dicomFetches])),
    /** Also invalidates the sign-in methods. */
    saveAzure: (body: BodyOf<typeof azureSave>) =>
      write(azureSave, body, () => invalidate([queryRoots.azure], ['welcome'])),
    removeAzure: async (): Promise<void> => {
      await call(azureDelete, {});
      invalidate([queryRoots.azure], ['welcome']);
    },
    testMail: (body: BodyOf<typeof testMail>) => write(testMail, body, () => undefined),
    testSms: (body: BodyOf<typeof testSms>) => write(testSms, body, () => undefined),
    createTemplate: (body: BodyOf<typeof templateCreate>) =>
      write(templateCreate, body, () => invalidate([queryRoots.templates])),
    /** Returns the template as a DICOM file. */
    templateFile: (id: string): Promise<Blob> => loadFile(templateObject, { id }),
    importTemplate: (body: BodyOf<typeof templateImport>) =>
      write(templateImport, body, () => invalidate([queryRoots.templates])),
    /** Optimistic update, rolled back on error. */
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
