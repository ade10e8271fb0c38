import { randomUUID } from 'node:crypto';
import type { ImportTask } from '../../contract/imports.ts';
import type { DataSet } from '../../dicom/write/data-set.ts';
import type { ObjectSender } from '../../server/imports/receive-object.ts';
import { createObjectReceiver } from '../../server/imports/receive-object.ts';
import type { ArchiveUnderTest } from './archive-under-test.ts';
import { smallObject } from './small-object.ts';

/** Short waits, so that tests do not wait for a sender. */
export const quickTimes = { sentMs: 0, quietMs: 60_000, everyMs: 20 };

/** A device of the first clinic that sends objects to an archive. */
export const deviceOf = (archive: ArchiveUnderTest, more: Partial<ObjectSender> = {}) => {
  const sender: ObjectSender = {
    customerId: archive.clinics.customerId,
    source: 'dicom',
    sourceId: randomUUID(),
    sourceName: 'Panorama 1',
    accountId: null,
    atOnce: false,
    ...more,
  };
  const receiver = createObjectReceiver({ db: archive.db, filesPerImport: 100 });

  /** Stores and records objects, and returns their imports. */
  const send = async (...objects: readonly DataSet[]): Promise<string[]> => {
    const taskIds: string[] = [];
    for (const changes of objects) {
      const stored = await archive.archive.files.put(
        (async function* () {
          yield smallObject(changes);
        })(),
      );
      const { StudyInstanceUID = '2.25.1002', SOPInstanceUID = '2.25.1001' } = changes;
      const object = { studyInstanceUid: String(StudyInstanceUID), sopInstanceUid: String(SOPInstanceUID) };
      taskIds.push((await receiver.record(sender, object, stored)).taskId);
    }
    return taskIds;
  };

  const rowOf = (id: string) =>
    archive.db.selectFrom('import_task').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  /** Waits until it is known whether a user must decide. */
  const judged = async (id: string) => {
    for (;;) {
      const row = await rowOf(id);
      if (row.judged_at !== null || row.error) return row;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  /** Sends objects of one study and waits until it is known whether a user must decide. */
  const sendStudy = async (...objects: readonly DataSet[]) => {
    const taskIds = await send(...objects);
    await receiver.finish(taskIds);
    return judged(taskIds[0] ?? '');
  };

  const waiting = async (as?: string, customerId = archive.clinics.customerId): Promise<ImportTask[]> => {
    const reply = await archive.call(
      `/resource/ImageImport?customerId=${customerId}&received=true`,
      as === undefined ? {} : { as },
    );
    if (!reply.ok) throw new Error(`waiting list: ${reply.status} ${await reply.text()}`);
    return reply.json();
  };

  return { sender, receiver, send, sendStudy, judged, rowOf, waiting };
};
