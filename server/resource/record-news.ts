import type { Hub } from '../hub/hub.ts';
import type { Principal } from '../policy/principal.ts';

/** Whose record has changed, and who did it. */
export interface ChangedRecord {
  readonly principal: Pick<Principal, 'accountId'>;
  readonly customerId: string;
  readonly patientId: string;
}

/** Told after the commit. News that cannot be sent is lost: the truth is in the tables. */
export interface RecordNews {
  /** A patient's own data, or what studies, series and images there are. */
  patientChanged(record: ChangedRecord): Promise<void>;
  /** What hangs where in these viewsets, or how it is shown. */
  viewsetsChanged(record: ChangedRecord, viewsets: readonly { id: string; version: number }[]): Promise<void>;
}

/** Tells everybody of the clinic, and the person who did it: a super administrator belongs to no clinic. */
export const createRecordNews = (hub: Hub, onFailure: (error: unknown) => void): RecordNews => {
  const tell = async ({ principal, customerId }: ChangedRecord, event: Parameters<Hub['publish']>[1]) => {
    await hub.publish([`clinic:${customerId}`, `user:${principal.accountId}`], event).catch(onFailure);
  };
  return {
    patientChanged: (record) => tell(record, { name: 'PatientChanged', body: { patientId: record.patientId } }),
    viewsetsChanged: async (record, viewsets) => {
      for (const { id, version } of viewsets)
        await tell(record, {
          name: 'ViewsetChanged',
          body: { patientId: record.patientId, viewsetId: id, version },
        });
    },
  };
};
