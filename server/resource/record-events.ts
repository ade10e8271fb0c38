import type { ChangedRecord, RecordEvents } from '../domain/record-events.ts';
import type { Hub } from '../hub/hub.ts';

/** Publishes to the clinic and to the account that made the change: a super administrator belongs to no clinic. */
export const createRecordEvents = (hub: Hub, onFailure: (error: unknown) => void): RecordEvents => {
  const publish = async ({ principal, customerId }: ChangedRecord, event: Parameters<Hub['publish']>[1]) => {
    await hub.publish([`clinic:${customerId}`, `user:${principal.accountId}`], event).catch(onFailure);
  };
  return {
    patientChanged: (record) => publish(record, { name: 'PatientChanged', body: { patientId: record.patientId } }),
    ordersChanged: (record) => publish(record, { name: 'OrdersChanged', body: { patientId: record.patientId } }),
    viewsetsChanged: async (record, viewsets) => {
      for (const { id, version } of viewsets)
        await publish(record, {
          name: 'ViewsetChanged',
          body: { patientId: record.patientId, viewsetId: id, version },
        });
    },
    viewsetImagesChanged: async (record, viewsets) => {
      for (const { id, version } of viewsets)
        await publish(record, {
          name: 'ViewsetChanged',
          body: { patientId: record.patientId, viewsetId: id, version, imagesChanged: true },
        });
    },
  };
};
