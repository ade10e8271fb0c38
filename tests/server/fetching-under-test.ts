import { expect } from 'vitest';
import type { DicomFetch, FoundStudy } from '../../contract/dicom-fetches.ts';
import { createAccessLog } from '../../server/access-log/access-log.ts';
import { insertDicomDevice } from '../../server/db/stores/dicom-devices.ts';
import type { FailedAttempt } from '../../server/dicom-gateway/failed-attempt.ts';
import { type FetchingOptions, startFetching } from '../../server/dicom-gateway/fetching/fetch-runner.ts';
import { findStudiesAs } from '../../server/dicom-gateway/fetching/find-studies.ts';
import { defaultLimits } from '../../server/imports/limits.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { quickLimits } from './dimse/peers.ts';

export const fetchLimits = { ...quickLimits, peerTimeoutMs: 3_000 };

/** An archive that searches at devices. */
export const fetchingArchive = () => archiveUnderTest({ findStudies: findStudiesAs('DENTARIUM', {}, fetchLimits) });

/** The job that fetches studies, and the calls of users for it. */
export const fetchingUnderTest = (archive: ArchiveUnderTest, more: Partial<FetchingOptions> = {}) => {
  const { db, clinics, post, call } = archive;
  const failures: unknown[] = [];
  const attempts: FailedAttempt[] = [];
  const start = () =>
    startFetching({
      db,
      files: archive.archive.files,
      accessLog: createAccessLog(db),
      isAvailable: () => true,
      aeTitle: 'DENTARIUM',
      tls: {},
      maxObjectBytes: defaultLimits.fileBytes,
      filesPerImport: defaultLimits.filesPerImport,
      wakeImports: archive.archive.wakeImports,
      onFailure: (error) => failures.push(error),
      onAttemptFailed: (attempt) => attempts.push(attempt),
      retrySeconds: [0.1, 0.1],
      leaseSeconds: 2,
      limits: fetchLimits,
      ...more,
    });
  let runner = start();

  const addDevice = async (device: Partial<Parameters<typeof insertDicomDevice>[1]> = {}): Promise<string> => {
    const id = await db.transaction().execute((transaction) =>
      insertDicomDevice(transaction, {
        customerId: clinics.customerId,
        name: 'PACS',
        aeTitle: 'PACS',
        address: '127.0.0.1',
        port: 104,
        canRetrieve: false,
        canStore: false,
        atOnce: false,
        seesWorklist: false,
        createdBy: clinics.adminId,
        ...device,
      }),
    );
    if (!id) throw new Error('the title is taken');
    return id;
  };

  const list = async (as?: string): Promise<DicomFetch[]> => {
    const reply = await call(`/resource/dicom-fetch/list/${clinics.customerId}`, as === undefined ? {} : { as });
    return (await reply.json()).fetches;
  };
  const byId = async (id: string): Promise<DicomFetch> => {
    const found = (await list()).find((one) => one.id === id);
    if (!found) throw new Error('the fetch is not listed');
    return found;
  };
  const create = (body: object, as?: string) => post('/resource/dicom-fetch/create', body, as);

  return {
    failures,
    attempts,
    addDevice,
    list,
    byId,
    create,
    search: async (body: object, as?: string) => {
      const reply = await post('/resource/dicom-fetch/search', body, as);
      return { status: reply.status, body: await reply.json() };
    },
    /** Begins to fetch what a search has found, with every confirmation that it needs when `isSamePatient`. */
    fetch: async (ids: object, studies: readonly FoundStudy[], isSamePatient = false): Promise<string> => {
      const chosen = studies.map(({ studyUid, description, studyDate, patient }) => ({
        studyUid,
        description,
        studyDate,
        patient,
        isSamePatient,
      }));
      const reply = await create({ ...ids, studies: chosen });
      if (!reply.ok) throw new Error(`create: ${reply.status} ${await reply.text()}`);
      return (await reply.json()).id;
    },
    cancel: (id: string, as?: string) => post('/resource/dicom-fetch/cancel', { id }, as),
    remove: (id: string, as?: string) => post('/resource/dicom-fetch/remove', { id }, as),
    /** Waits until it has this state, and no import of it is at work. */
    reaches: async (id: string, state: DicomFetch['state']): Promise<DicomFetch> => {
      const settled = async () => {
        const fetch = await byId(id);
        return fetch.studies.some((study) => study.state === 'importing') ? 'importing' : fetch.state;
      };
      await expect.poll(settled, { timeout: 20_000, interval: 50 }).toBe(state);
      return byId(id);
    },
    stop: () => runner.close(),
    restart: () => {
      runner = start();
    },
    close: () => runner.close(),
  };
};

export type FetchingUnderTest = ReturnType<typeof fetchingUnderTest>;
