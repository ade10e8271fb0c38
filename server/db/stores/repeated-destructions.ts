import { type Kysely, sql } from 'kysely';
import type { DestructionBasis, DestructionKind } from '../../../contract/destruction.ts';
import type { Schema } from '../schema.ts';

/** An order that was begun. Moments in ISO 8601. */
interface StartedDestruction {
  readonly id: string;
  readonly customerId: string;
  readonly kind: DestructionKind;
  readonly subjectId: string;
  readonly patientId: string | null;
  readonly basis: DestructionBasis;
  readonly reference: string;
  readonly reason: string;
  readonly proposedBy: string;
  readonly proposedAt: string;
  readonly decidedBy: string;
  readonly decidedAt: string;
  readonly dueAt: string;
}

/** Returns the orders that were begun or carried out, the oldest first. */
export const startedDestructions = async (db: Kysely<Schema>): Promise<StartedDestruction[]> => {
  const rows = await db
    .selectFrom('destruction_order')
    .selectAll()
    .where('state', 'in', ['destroying', 'destroyed'])
    .orderBy('due_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    customerId: row.customer_id,
    kind: row.kind,
    subjectId: row.subject_id,
    patientId: row.patient_id,
    basis: row.basis,
    reference: row.reference,
    reason: row.reason,
    proposedBy: row.proposed_by,
    proposedAt: row.proposed_at.toISOString(),
    decidedBy: row.decided_by ?? row.proposed_by,
    decidedAt: (row.decided_at ?? row.proposed_at).toISOString(),
    dueAt: (row.due_at ?? row.proposed_at).toISOString(),
  }));
};

/** Begins an order in a restored database, in which it has not been carried out. Returns whether there was anything to begin. */
export const repeatDestruction = (db: Kysely<Schema>, order: StartedDestruction): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const { id, subjectId, customerId, kind } = order;
    await transaction
      .updateTable('destruction_order')
      .set({ state: 'lapsed', ended_at: new Date() })
      .where('subject_id', '=', subjectId)
      .where('state', 'in', ['proposed', 'approved', 'destroying'])
      .where('id', '<>', id)
      .execute();
    if (kind === 'clinic')
      await sql`update customer set deleted_at = now(), version = version + 1
        where id = ${customerId} and deleted_at is null`.execute(transaction);
    const begun = await transaction
      .insertInto('destruction_order')
      .values({
        id,
        customer_id: customerId,
        kind,
        subject_id: subjectId,
        patient_id: order.patientId,
        basis: order.basis,
        reference: order.reference,
        reason: order.reason,
        state: 'destroying',
        proposed_by: order.proposedBy,
        proposed_at: order.proposedAt,
        decided_by: order.decidedBy,
        decided_at: order.decidedAt,
        due_at: order.dueAt,
        ended_by: null,
        ended_at: null,
      })
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet({ state: 'destroying', ended_at: null })
          .where('destruction_order.state', 'not in', ['destroying', 'destroyed']),
      )
      .returning('id')
      .executeTakeFirst();
    return begun !== undefined;
  });
