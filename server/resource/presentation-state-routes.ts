import type { FastifyInstance } from 'fastify';
import { presentationStates } from '../../contract/presentation-states.ts';
import { findImage } from '../db/stores/images.ts';
import { statesOfPatient } from '../db/stores/presentation-states.ts';
import { requireAccessible } from '../domain/policy/require-accessible.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { bind } from '../route-binding.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { createPresentationStateReader } from './presentation-state-reader.ts';
import { accessTo } from './record-access.ts';

/** Registers the route of the presentation states of an image. They are read from their files, so that the order of arrival does not matter. */
export const presentationStateRoutes = (server: FastifyInstance, deps: ResourceDependencies): void => {
  const { db, binding, accessLog } = deps;
  const reader = createPresentationStateReader(deps);

  bind(server, binding, presentationStates, async ({ principal, params }) => {
    const row = requireAccessible(principal, await findImage(db, params.id));
    if (row.kind === 'document') throw new ProblemError('image-has-no-pixels');
    await accessLog.note(accessTo(principal, row, 'image.opened'));
    const stored = await statesOfPatient(db, { id: row.patient_id, customerId: row.customer_id });
    const { sop_instance_uid: sopInstanceUid, columns, rows } = row;
    return reader.read(stored, { sopInstanceUid, columns, rows });
  });
};
