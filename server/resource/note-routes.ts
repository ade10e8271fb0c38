import type { FastifyInstance } from 'fastify';
import type { AccessAction } from '../../contract/access-log.ts';
import { type NoteState, type NoteSubject, type NoteVersion, noteGet, noteSave } from '../../contract/notes.ts';
import { insertAccesses } from '../db/stores/access-log.ts';
import { findImage } from '../db/stores/images.ts';
import { insertNote, type NoteRow, noteVersions } from '../db/stores/notes.ts';
import { findViewset } from '../db/stores/viewsets.ts';
import { requireAccessible } from '../domain/policy/require-accessible.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { bind } from '../route-binding.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { accessTo } from './record-access.ts';

const finders = { image: findImage, viewset: findViewset } satisfies Record<NoteSubject, unknown>;

const actions = { draft: 'note.saved', signed: 'note.signed', removed: 'note.removed' } as const satisfies Record<
  NoteState,
  AccessAction
>;

const versionOf = (row: NoteRow): NoteVersion => ({
  version: row.version,
  state: row.state,
  text: row.text,
  author: { id: row.author_id, name: row.author_name },
  savedAt: row.saved_at.toISOString(),
});

/** Registers the routes that read a note and append a version. There is none that changes or deletes one. */
export const noteRoutes = (server: FastifyInstance, { db, binding, accessLog, events }: ResourceDependencies): void => {
  bind(server, binding, noteGet, async ({ principal, params: { subject, id } }) => {
    const owner = requireAccessible(principal, await finders[subject](db, id));
    const rows = await noteVersions(db, subject, owner.id);
    // Where nothing was written, nothing was read.
    if (rows.length > 0) await accessLog.note(accessTo(principal, owner, 'note.opened'));
    return { versions: rows.map(versionOf) };
  });

  bind(server, binding, noteSave, async ({ principal, body }) => {
    const { subject, state, version } = body;
    const text = body.state === 'removed' ? '' : body.text;
    const { accountId } = principal;
    const { row, record } = await db.transaction().execute(async (transaction) => {
      const owner = requireAccessible(principal, await finders[subject](transaction, body.id));
      const row = await insertNote(transaction, { subject, id: owner.id, state, text, accountId }, version);
      if (!row) throw new ProblemError('conflict');
      const { customer_id: customerId, patient_id: patientId } = owner;
      await insertAccesses(transaction, [{ at: new Date(), ...accessTo(principal, owner, actions[state]) }]);
      return { row, record: { principal, customerId, patientId } };
    });
    await events.patientChanged(record);
    return versionOf(row);
  });
};
