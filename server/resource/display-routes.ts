import type { FastifyInstance } from 'fastify';
import { displaySave, marksSave, maxMarks } from '../../contract/displays.ts';
import { insertAccesses } from '../db/stores/access-log.ts';
import { authorNameOf, saveDisplay, saveMarks } from '../db/stores/displays.ts';
import { findImage } from '../db/stores/images.ts';
import { annotationsAfter, authorsAfter } from '../domain/authored-marks.ts';
import { requireAccessible } from '../domain/policy/require-accessible.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { bind } from '../route-binding.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { accessTo } from './record-access.ts';
import { lockAccessible } from './viewset-change.ts';
import { imageForViewset } from './viewset-placement.ts';

/** Registers the routes that store display settings and marks of images. Pixels are never changed. */
export const displayRoutes = (server: FastifyInstance, { db, binding, events }: ResourceDependencies): void => {
  bind(server, binding, displaySave, async ({ principal, body }) => {
    const { viewsetUid, imageUid, display, version } = body;
    const { accountId } = principal;
    const done = await db.transaction().execute(async (transaction) => {
      // Locking the viewset keeps the display from being moved to another viewset meanwhile.
      const viewsetVersions = viewsetUid === null ? [] : [{ id: viewsetUid }];
      const [viewset] = await lockAccessible(transaction, principal, viewsetVersions);
      const image = viewset
        ? await imageForViewset(transaction, principal, viewset, imageUid)
        : requireAccessible(principal, await findImage(transaction, imageUid));
      if (image.kind === 'document') throw new ProblemError('image-has-no-pixels');
      const change = { imageId: image.id, viewsetId: viewset?.id ?? null, display, accountId };
      const displayVersion = await saveDisplay(transaction, change, version);
      if (displayVersion === null) throw new ProblemError('conflict');
      const record = { principal, customerId: image.customer_id, patientId: image.patient_id };
      await insertAccesses(transaction, [{ at: new Date(), ...accessTo(principal, image, 'image.display-saved') }]);
      return { displayVersion, record, viewset };
    });
    const { displayVersion, record, viewset } = done;
    await (viewset ? events.viewsetImagesChanged(record, [viewset]) : events.patientChanged(record));
    return { displayVersion };
  });

  bind(server, binding, marksSave, async ({ principal, body }) => {
    const { imageUid, marks, annotations = [], deletedAnnotations = [], calibration, version } = body;
    const done = await db.transaction().execute(async (transaction) => {
      const image = requireAccessible(principal, await findImage(transaction, imageUid));
      if (image.kind === 'document') throw new ProblemError('image-has-no-pixels');
      for (const [field, sent] of Object.entries({ marks, annotations })) {
        const beyond = sent.findIndex(({ frame }) => frame > image.frames);
        if (beyond >= 0) throw new ProblemError('invalid-request', [{ fieldKey: `${field}.${beyond}.frame` }]);
      }
      const next = { marks, annotations: annotationsAfter(image, { marks, annotations, deletedAnnotations }) };
      const ids = [...next.marks, ...next.annotations].map(({ id }) => id);
      if (ids.length > maxMarks || new Set(ids).size < ids.length)
        throw new ProblemError('invalid-request', [{ fieldKey: 'annotations' }]);
      const { accountId } = principal;
      const name = await authorNameOf(transaction, accountId);
      const authors = authorsAfter(image, next, { accountId, name, at: new Date().toISOString() });
      const marksVersion = await saveMarks(transaction, image.id, { ...next, calibration, authors }, version);
      if (marksVersion === null) throw new ProblemError('conflict');
      const record = { principal, customerId: image.customer_id, patientId: image.patient_id };
      await insertAccesses(transaction, [{ at: new Date(), ...accessTo(principal, image, 'image.measured') }]);
      return { marksVersion, record };
    });
    await events.patientChanged(done.record);
    return { marksVersion: done.marksVersion };
  });
};
