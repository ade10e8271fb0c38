import { expect } from 'vitest';
import type { DicomSending } from '../../contract/dicom-sendings.ts';
import { createAccessLog } from '../../server/access-log/access-log.ts';
import { insertDicomDevice } from '../../server/db/stores/dicom-devices.ts';
import type { FailedAttempt } from '../../server/dicom-gateway/failed-attempt.ts';
import { type SendingOptions, startSending } from '../../server/dicom-gateway/sending/sending-runner.ts';
import type { ArchiveUnderTest } from './archive-under-test.ts';
import { quickLimits } from './dimse/peers.ts';

/** The job that sends images, and the calls of users for it. */
export const sendingUnderTest = (archive: ArchiveUnderTest, more: Partial<SendingOptions> = {}) => {
  const { db, clinics, post, call } = archive;
  const failures: unknown[] = [];
  const attempts: FailedAttempt[] = [];
  const start = () =>
    startSending({
      db,
      files: archive.archive.files,
      imaging: archive.archive.imaging,
      accessLog: createAccessLog(db),
      isAvailable: () => true,
      aeTitle: 'DENTARIUM',
      tls: {},
      onFailure: (error) => failures.push(error),
      onAttemptFailed: (attempt) => attempts.push(attempt),
      retrySeconds: [0.1, 0.1],
      leaseSeconds: 2,
      limits: quickLimits,
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

  const list = async (as?: string): Promise<DicomSending[]> => {
    const reply = await call(`/resource/dicom-sending/list/${clinics.customerId}`, as === undefined ? {} : { as });
    return (await reply.json()).sendings;
  };
  const byId = async (id: string): Promise<DicomSending> => {
    const found = (await list()).find((one) => one.id === id);
    if (!found) throw new Error('the sending is not listed');
    return found;
  };

  return {
    failures,
    attempts,
    addDevice,
    list,
    byId,
    create: (body: object, as?: string) => post('/resource/dicom-sending/create', body, as),
    send: async (body: object): Promise<string> => {
      const reply = await post('/resource/dicom-sending/create', body);
      if (!reply.ok) throw new Error(`create: ${reply.status} ${await reply.text()}`);
      return (await reply.json()).id;
    },
    cancel: (id: string, as?: string) => post('/resource/dicom-sending/cancel', { id }, as),
    remove: (id: string, as?: string) => post('/resource/dicom-sending/remove', { id }, as),
    /** Waits until it has this state. */
    reaches: async (id: string, state: DicomSending['state']): Promise<DicomSending> => {
      await expect.poll(async () => (await byId(id)).state, { timeout: 15_000, interval: 50 }).toBe(state);
      return byId(id);
    },
    stop: () => runner.close(),
    restart: () => {
      runner = start();
    },
    close: () => runner.close(),
  };
};

export type SendingUnderTest = ReturnType<typeof sendingUnderTest>;
