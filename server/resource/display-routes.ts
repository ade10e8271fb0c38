import type { FastifyInstance } from 'fastify';
import { displaySave, marksSave } from '../../contract/displays.ts';
import { insertAccesses } from '../db/stores/access-log.ts';
import { saveDisplay, saveMarks } from '../db/stores/displays.ts';
import { findImage } from '../db/stores/images.ts';
import { Refusal } from '../refusal.ts';
import { bind } from '../route-binding.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { inReach } from './patient-in-reach.ts';
import { lockedInReach } from './viewset-change.ts';
import { imageForViewset } from './viewset-hanging.ts';

/** How images are shown, and what is measured in them: beside the images, never in their pixels. */
export const displayRoutes = (server: FastifyInstance, { db, binding, news }: ResourceDependencies): void => {
  bind(server, binding, displaySave, async ({ principal, body }) => {
    const { viewsetUid, imageUid, display, version } = body;
    const { accountId } = principal;
    const done = await db.transaction().execute(async (transaction) => {
      // A viewset that is locked keeps the display from being carried to another one meanwhile.
      const asked = viewsetUid === null ? [] : [{ id: viewsetUid }];
      const [viewset] = await lockedInReach(transaction, principal, asked);
      const image = viewset
        ? await imageForViewset(transaction, principal, viewset, imageUid)
        : inReach(principal, await findImage(transaction, imageUid));
      if (image.kind === 'document') throw new Refusal('image-has-no-pixels');
      const change = { imageId: image.id, viewsetId: viewset?.id ?? null, display, accountId };
      const displayVersion = await saveDisplay(transaction, change, version);
      if (displayVersion === null) throw new Refusal('conflict');
      const record = { principal, customerId: image.customer_id, patientId: image.patient_id };
      await insertAccesses(transaction, [
        {
          at: new Date(),
          accountId,
          customerId: image.customer_id,
          patientId: image.patient_id,
          action: 'image.display-saved',
          objectId: image.id,
        },
      ]);
      return { displayVersion, record, viewset };
    });
    const { displayVersion, record, viewset } = done;
    await (viewset ? news.viewsetsChanged(record, [viewset]) : news.patientChanged(record));
    return { displayVersion };
  });

  bind(server, binding, marksSave, async ({ principal, body }) => {
    const { imageUid, marks, calibration, version } = body;
    const done = await db.transaction().execute(async (transaction) => {
      const image = inReach(principal, await findImage(transaction, imageUid));
      if (image.kind === 'document') throw new Refusal('image-has-no-pixels');
      const beyond = marks.findIndex((mark) => mark.frame > image.frames);
      if (beyond >= 0) throw new Refusal('invalid-request', [{ fieldKey: `marks.${beyond}.frame` }]);
      const marksVersion = await saveMarks(transaction, image.id, { marks, calibration }, version);
      if (marksVersion === null) throw new Refusal('conflict');
      const record = { principal, customerId: image.customer_id, patientId: image.patient_id };
      await insertAccesses(transaction, [
        {
          at: new Date(),
          accountId: principal.accountId,
          customerId: image.customer_id,
          patientId: image.patient_id,
          action: 'image.measured',
          objectId: image.id,
        },
      ]);
      return { marksVersion, record };
    });
    await news.patientChanged(done.record);
    return { marksVersion: done.marksVersion };
  });
};
