import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import {
  type DestructionOrder,
  type DestructionState,
  destructionApprove,
  destructionKind,
  destructionList,
  destructionPropose,
  destructionRefuse,
  destructionRevoke,
  revocationHours,
} from '../../../contract/destruction.ts';
import type { Schema } from '../../db/schema.ts';
import { type Access, insertAccesses } from '../../db/stores/access-log.ts';
import {
  addDestructionOrder,
  type DestructionOrderRow,
  destructionOrders,
  destructionSubject,
  findDestructionOrder,
  hasRetentionEnded,
  type ListedOrderRow,
  moveDestructionOrder,
} from '../../db/stores/destruction-orders.ts';
import { canDestroyIn } from '../../domain/policy/can-destroy.ts';
import type { Principal } from '../../domain/policy/principal.ts';
import { seesProtected } from '../../domain/policy/sees-protected.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import { bind } from '../../route-binding.ts';
import type { ResourceDependencies } from '../dependencies.ts';

const hourMs = 3_600_000;

const accountOf = (id: string | null, name: string | null) => (id === null ? null : { id, name: name ?? '' });
const momentOf = (moment: Date | null) => moment?.toISOString() ?? null;

const subjectOf = (row: ListedOrderRow): DestructionOrder['subject'] =>
  row.patient_id === null || row.patient_name === null || (row.kind !== 'patient' && row.study_description === null)
    ? null
    : {
        patientId: row.patient_id,
        patientName: row.patient_name,
        personalNumber: row.personal_number ?? '',
        protectedIdentity: row.has_protected_identity ?? false,
        studyDescription: row.study_description,
        studyDate: row.study_date,
        imageNumber: row.image_number,
      };

const orderOf = (row: ListedOrderRow): DestructionOrder => ({
  id: row.id,
  customerId: row.customer_id,
  kind: row.kind,
  subjectId: row.subject_id,
  subject: subjectOf(row),
  basis: row.basis,
  reference: row.reference,
  reason: row.reason,
  state: row.state,
  proposedBy: { id: row.proposed_by, name: row.proposer ?? '' },
  proposedAt: row.proposed_at.toISOString(),
  decidedBy: accountOf(row.decided_by, row.decider),
  decidedAt: momentOf(row.decided_at),
  dueAt: momentOf(row.due_at),
  endedBy: accountOf(row.ended_by, row.ender),
  endedAt: momentOf(row.ended_at),
  counts: { patients: row.patients, studies: row.studies, images: row.images, files: row.files },
});

const note = (
  db: Kysely<Schema>,
  { accountId }: Principal,
  action: Access['action'],
  {
    id,
    customer_id,
    patient_id,
    reference,
  }: Pick<DestructionOrderRow, 'id' | 'customer_id' | 'patient_id' | 'reference'>,
): Promise<void> =>
  insertAccesses(db, [
    {
      at: new Date(),
      accountId,
      customerId: customer_id,
      patientId: patient_id,
      action,
      objectId: id,
      detail: reference,
    },
  ]);

type Proposal = z.output<NonNullable<typeof destructionPropose.body>>;

/** Registers the routes that propose, decide and list orders to destroy records. The job carries them out. */
export const destructionRoutes = (
  server: FastifyInstance,
  { db, binding, accessLog, backupKeepDays }: ResourceDependencies,
): void => {
  const propose = (principal: Principal, body: Proposal): Promise<{ id: string }> =>
    db.transaction().execute(async (transaction) => {
      const { customerId, kind, subjectId, ...given } = body;
      const subject = canDestroyIn(principal, customerId, kind)
        ? await destructionSubject(transaction, kind, subjectId)
        : undefined;
      if (subject?.customer_id !== customerId) throw new ProblemError('not-found');
      if (body.basis === 'retention' && !(await hasRetentionEnded(transaction, subject)))
        throw new ProblemError('retention-not-ended');
      const order = {
        id: randomUUID(),
        kind,
        subject_id: subjectId,
        ...subject,
        ...given,
        proposed_by: principal.accountId,
      };
      if (!(await addDestructionOrder(transaction, order))) throw new ProblemError('conflict');
      await note(transaction, principal, 'destruction.proposed', order);
      return { id: order.id };
    });

  /** @throws ProblemError 'not-found' */
  const requireOrder = async (principal: Principal, id: string): Promise<DestructionOrderRow> => {
    const order = await findDestructionOrder(db, id);
    if (!order || !canDestroyIn(principal, order.customer_id, order.kind)) throw new ProblemError('not-found');
    return order;
  };

  /** Moves an order and logs it. @throws ProblemError 'conflict' in another state */
  const move = (
    principal: Principal,
    order: DestructionOrderRow,
    [from, to]: readonly [readonly DestructionState[], 'approved' | 'refused' | 'revoked'],
    change: Parameters<typeof moveDestructionOrder>[3],
  ): Promise<{ id: string }> =>
    db.transaction().execute(async (transaction) => {
      if (!(await moveDestructionOrder(transaction, order.id, { from, to }, change)))
        throw new ProblemError('conflict');
      await note(transaction, principal, `destruction.${to}`, order);
      return { id: order.id };
    });

  bind(server, binding, destructionList, async ({ principal, body }) => {
    if (!canDestroyIn(principal, body.customerId)) throw new ProblemError('not-found');
    // Records of a deleted clinic are not accessible; only its own orders are.
    const kinds = destructionKind.options.filter((kind) => canDestroyIn(principal, body.customerId, kind));
    const { rows, totalCount } = await destructionOrders(db, {
      ...body,
      kinds,
      seesProtected: seesProtected(principal),
    });
    const data = rows.map(orderOf);
    const named = new Set(data.flatMap(({ subject }) => subject?.patientId ?? []));
    await accessLog.note(
      ...[...named].map((patientId) => ({
        accountId: principal.accountId,
        customerId: body.customerId,
        patientId,
        action: 'patient.listed' as const,
        objectId: null,
      })),
    );
    return { data, totalCount, backupKeepDays };
  });

  bind(server, binding, destructionPropose, ({ principal, body }) => propose(principal, body));

  bind(server, binding, destructionApprove, async ({ principal, params, body }) => {
    const order = await requireOrder(principal, params.id);
    if (order.proposed_by === principal.accountId) throw new ProblemError('own-proposal');
    if (body.reference !== order.reference) throw new ProblemError('invalid-request', [{ fieldKey: 'reference' }]);
    const subject = await destructionSubject(db, order.kind, order.subject_id);
    if (!subject) throw new ProblemError('not-found');
    if (order.basis === 'retention' && !(await hasRetentionEnded(db, subject)))
      throw new ProblemError('retention-not-ended');
    const now = new Date();
    const due_at = new Date(now.getTime() + revocationHours * hourMs);
    return move(principal, order, [['proposed'], 'approved'], {
      decided_by: principal.accountId,
      decided_at: now,
      due_at,
    });
  });

  bind(server, binding, destructionRefuse, async ({ principal, params }) => {
    const order = await requireOrder(principal, params.id);
    if (order.proposed_by === principal.accountId) throw new ProblemError('own-proposal');
    const change = { decided_by: principal.accountId, decided_at: new Date() };
    return move(principal, order, [['proposed'], 'refused'], change);
  });

  bind(server, binding, destructionRevoke, async ({ principal, params }) => {
    const order = await requireOrder(principal, params.id);
    const change = { ended_by: principal.accountId, ended_at: new Date() };
    return move(principal, order, [['proposed', 'approved'], 'revoked'], change);
  });
};
