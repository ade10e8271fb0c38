import type { Transaction } from 'kysely';
import type { AccessAction } from '../../contract/access-log.ts';
import type { Viewset } from '../../contract/viewsets.ts';
import type { Schema } from '../db/schema.ts';
import { insertAccesses } from '../db/stores/access-log.ts';
import { lockViewsets, updateViewset, type ViewsetRow } from '../db/stores/viewsets.ts';
import type { Principal } from '../policy/principal.ts';
import { Refusal } from '../refusal.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { inReach } from './patient-in-reach.ts';
import { viewsetView } from './viewset-view.ts';

export interface Based {
  readonly id: string;
  /** The version that the person saw; undefined: whatever there is. */
  readonly version?: number | undefined;
}

/** @throws Refusal 'conflict' */
const unchangedSince = (row: ViewsetRow, version: number | undefined): void => {
  if (version !== undefined && version !== row.version) throw new Refusal('conflict');
};

/**
 * The viewsets, in the order in which they were asked for, locked for this transaction.
 * @throws Refusal 'not-found', 'conflict' when somebody has changed one since
 */
export const lockedInReach = async (
  transaction: Transaction<Schema>,
  principal: Principal,
  asked: readonly Based[],
): Promise<ViewsetRow[]> => {
  if (asked.length === 0) return [];
  const rows = await lockViewsets(transaction, [...new Set(asked.map(({ id }) => id))]);
  return asked.map(({ id, version }) => {
    const row = rows.find((one) => one.id === id && one.deleted_at === null);
    const mine = inReach(principal, row);
    unchangedSince(mine, version);
    return mine;
  });
};

export interface ViewsetChange {
  /** Those that changed, each once; none when all was as it was wished already. */
  readonly changed: readonly ViewsetRow[];
  readonly action: AccessAction;
  /** What the access log names. */
  readonly objectId: string;
  /** Changes of the viewset's own row that go with the new version. */
  readonly row?: { readonly name: string; readonly comments: string | null };
}

/**
 * One change of viewsets in one transaction: lock them, look at the versions, do the work, count the versions up and write the access
 * log. After the commit everybody hears of it. Returns the viewsets asked for, each once, as they are then.
 */
export const changeViewsets = async (
  { db, news, thumbLinks }: Pick<ResourceDependencies, 'db' | 'news' | 'thumbLinks'>,
  principal: Principal,
  asked: readonly Based[],
  work: (transaction: Transaction<Schema>, rows: readonly ViewsetRow[]) => Promise<ViewsetChange>,
): Promise<Viewset[]> => {
  const done = await db.transaction().execute(async (transaction) => {
    const rows = await lockedInReach(transaction, principal, asked);
    const { changed, action, objectId, row: own } = await work(transaction, rows);
    const now = new Map(rows.map((row) => [row.id, row]));
    for (const row of changed)
      now.set(row.id, { ...row, ...own, version: await updateViewset(transaction, row.id, own) });
    await insertAccesses(
      transaction,
      changed.slice(0, 1).map((row) => ({
        at: new Date(),
        accountId: principal.accountId,
        customerId: row.customer_id,
        patientId: row.patient_id,
        action,
        objectId,
      })),
    );
    const views: Viewset[] = [];
    for (const row of now.values()) views.push(await viewsetView(transaction, thumbLinks, row));
    return { views, changed: changed.map(({ id }) => now.get(id)).filter((row) => row !== undefined) };
  });
  const [first] = done.changed;
  if (first) {
    const record = { principal, customerId: first.customer_id, patientId: first.patient_id };
    await news.viewsetsChanged(record, done.changed);
  }
  return done.views;
};
