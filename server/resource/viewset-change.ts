import type { Transaction } from 'kysely';
import type { AccessAction } from '../../contract/access-log.ts';
import type { Viewset } from '../../contract/viewsets.ts';
import type { Schema } from '../db/schema.ts';
import { insertAccesses } from '../db/stores/access-log.ts';
import { lockViewsets, updateViewset, type ViewsetRow } from '../db/stores/viewsets.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { requireAccessible } from '../domain/policy/require-accessible.ts';
import { ProblemError } from '../domain/problem-error.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { viewsetView } from './viewset-view.ts';

export interface Based {
  readonly id: string;
  /** The version that the user saw; undefined: any. */
  readonly version?: number | undefined;
}

/** @throws ProblemError 'conflict' */
const unchangedSince = (row: ViewsetRow, version: number | undefined): void => {
  if (version !== undefined && version !== row.version) throw new ProblemError('conflict');
};

/**
 * Returns the viewsets in the requested order, locked for this transaction.
 * @throws ProblemError 'not-found', 'conflict' when one has changed since
 */
export const lockAccessible = async (
  transaction: Transaction<Schema>,
  principal: Principal,
  viewsetVersions: readonly Based[],
): Promise<ViewsetRow[]> => {
  if (viewsetVersions.length === 0) return [];
  const rows = await lockViewsets(transaction, [...new Set(viewsetVersions.map(({ id }) => id))]);
  return viewsetVersions.map(({ id, version }) => {
    const row = rows.find((one) => one.id === id && one.deleted_at === null);
    const mine = requireAccessible(principal, row);
    unchangedSince(mine, version);
    return mine;
  });
};

export interface ViewsetChange {
  /** The changed viewsets, each once; empty when nothing changed. */
  readonly changed: readonly ViewsetRow[];
  readonly action: AccessAction;
  /** Values for the access log. */
  readonly objectId: string;
  /** Column changes of the viewset's own row. */
  readonly row?: { readonly name: string; readonly comments: string | null };
}

/**
 * Changes viewsets in one transaction: locks them, checks versions, does the work, increments the versions and writes the access log.
 * Publishes events after the commit. Returns the requested viewsets in their new state, each once.
 */
export const changeViewsets = async (
  { db, events, thumbLinks }: Pick<ResourceDependencies, 'db' | 'events' | 'thumbLinks'>,
  principal: Principal,
  viewsetVersions: readonly Based[],
  work: (transaction: Transaction<Schema>, rows: readonly ViewsetRow[]) => Promise<ViewsetChange>,
): Promise<Viewset[]> => {
  const links = thumbLinks.of(principal);
  const done = await db.transaction().execute(async (transaction) => {
    const rows = await lockAccessible(transaction, principal, viewsetVersions);
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
    for (const row of now.values()) views.push(await viewsetView(transaction, links, row));
    return { views, changed: changed.map(({ id }) => now.get(id)).filter((row) => row !== undefined) };
  });
  const [first] = done.changed;
  if (first) {
    const record = { principal, customerId: first.customer_id, patientId: first.patient_id };
    await events.viewsetsChanged(record, done.changed);
  }
  return done.views;
};
